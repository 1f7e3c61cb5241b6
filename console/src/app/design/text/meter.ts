import { Component, computed, input } from '@angular/core';

/** Shows the used part of something, 0 to 1. */
@Component({
  selector: 'weir-meter',
  host: {
    role: 'meter',
    'aria-valuemin': '0',
    'aria-valuemax': '100',
    '[attr.aria-valuenow]': 'percent()',
    '[attr.aria-label]': 'label()',
    '[attr.data-tone]': 'tone()',
  },
  template: `<span class="fill" [class.some]="percent() > 0" [style.width.%]="percent()"></span>`,
  styles: `
    :host {
      display: block;
      height: 6px;
      border-radius: 3px;
      background: var(--weir-line);
      overflow: hidden;
    }

    .fill {
      display: block;
      height: 100%;
      border-radius: 3px;
      background: var(--weir-brand);
    }

    // A little is more than nothing.
    .some {
      min-width: 4px;
    }

    :host([data-tone='warn']) .fill {
      background: var(--weir-warn);
    }

    :host([data-tone='bad']) .fill {
      background: var(--weir-bad);
    }
  `,
})
export class Meter {
  readonly share = input.required<number>();
  readonly label = input.required<string>();
  /** More is good: full is no warning. */
  readonly calm = input(false);

  protected readonly percent = computed(() => Math.round(this.share() * 1000) / 10);
  protected readonly tone = computed(() => {
    if (this.calm()) return 'plain';
    if (this.share() >= 1) return 'bad';
    return this.share() >= 0.8 ? 'warn' : 'plain';
  });
}
