import { Component, computed, input } from '@angular/core';
import { Icon } from '../icon/icon';
import type { IconName } from '../icon/icon-paths';

export type NoteTone = 'info' | 'good' | 'warn';

const ICONS: Readonly<Record<NoteTone, IconName>> = {
  info: 'info',
  good: 'check',
  warn: 'warning',
};

/** A remark on the page. */
@Component({
  selector: 'weir-note',
  imports: [Icon],
  host: { '[attr.data-tone]': 'tone()' },
  template: `
    <weir-icon [name]="icon()" />
    <div class="body"><ng-content /></div>
  `,
  styles: `
    :host {
      display: flex;
      align-items: flex-start;
      gap: var(--weir-gap-3);
      padding: var(--weir-gap-3) var(--weir-gap-4);
      border-radius: var(--weir-radius-m);
      background: var(--weir-brand-soft);
      color: var(--weir-text);
    }

    weir-icon {
      margin-top: 0.1rem;
      color: var(--weir-on-brand-soft);
    }

    .body {
      flex: 1;
      min-width: 0;
    }

    :host([data-tone='good']) {
      background: var(--weir-good-soft);
    }

    :host([data-tone='good']) weir-icon {
      color: var(--weir-good);
    }

    :host([data-tone='warn']) {
      background: var(--weir-warn-soft);
    }

    :host([data-tone='warn']) weir-icon {
      color: var(--weir-warn);
    }
  `,
})
export class Note {
  readonly tone = input<NoteTone>('info');
  protected readonly icon = computed(() => ICONS[this.tone()]);
}
