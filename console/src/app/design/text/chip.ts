import { Component, input } from '@angular/core';

export type Tone = 'plain' | 'brand' | 'good' | 'warn' | 'bad';

/** A state in a word. The word carries the meaning; the colour only helps to find it. */
@Component({
  selector: 'weir-chip',
  host: { '[attr.data-tone]': 'tone()' },
  template: `<ng-content />`,
  styles: `
    :host {
      display: inline-flex;
      align-items: center;
      gap: 0.3em;
      min-width: 0;
      max-width: 100%;
      padding: 0.05rem 0.5rem;
      border-radius: 99px;
      background: var(--weir-sunken);
      color: var(--weir-text-soft);
      font-size: 0.8125rem;
      font-weight: 550;
      line-height: 1.4rem;
      white-space: nowrap;
    }

    :host([data-tone='brand']) {
      background: var(--weir-brand-soft);
      color: var(--weir-on-brand-soft);
    }

    :host([data-tone='good']) {
      background: var(--weir-good-soft);
      color: var(--weir-good);
    }

    :host([data-tone='warn']) {
      background: var(--weir-warn-soft);
      color: var(--weir-warn);
    }

    :host([data-tone='bad']) {
      background: var(--weir-bad-soft);
      color: var(--weir-bad);
    }
  `,
})
export class Chip {
  readonly tone = input<Tone>('plain');
}
