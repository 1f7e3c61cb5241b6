import { Component, inject, input, output } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { I18n } from '../../core/i18n/i18n';

/** What can be done to all rows that are selected. */
@Component({
  selector: 'weir-bulk-bar',
  imports: [MatButton],
  host: { class: 'cluster', role: 'group', '[attr.aria-label]': 'words()' },
  template: `
    <span class="strong" aria-live="polite">{{ words() }}</span>
    <ng-content />
    <button matButton type="button" (click)="cleared.emit()">{{ t('bulk.clear') }}</button>
  `,
  styles: `
    :host {
      position: sticky;
      z-index: 3;
      inset-block-start: 3.5rem;
      padding: var(--weir-gap-2) var(--weir-gap-4);
      border-radius: var(--weir-radius-m);
      background: var(--weir-brand-soft);
      color: var(--weir-on-brand-soft);
    }
  `,
})
export class BulkBar {
  protected readonly t = inject(I18n).t;
  readonly count = input.required<number>();
  readonly cleared = output();

  protected words(): string {
    return this.t('bulk.selected', { count: this.count() });
  }
}
