import { Component, computed, inject, input } from '@angular/core';
import { Formatter } from '../../core/format/formatter';

/** An amount as the reader writes it; every digit on hover. */
@Component({
  selector: 'weir-money',
  host: { class: 'numeric nowrap', '[attr.title]': 'exact()' },
  template: `{{ shown() }}`,
})
export class Money {
  readonly #formatter = inject(Formatter);

  /** A decimal string in USD. */
  readonly usd = input.required<string>();
  /** Every digit at once, for bills. */
  readonly whole = input(false);
  /** With a plus where it adds to a balance. */
  readonly signed = input(false);

  protected readonly exact = computed(() => this.#formatter.exactUsd(this.usd()));
  protected readonly shown = computed(() =>
    [
      this.signed() && !this.usd().startsWith('-') ? '+' : '',
      this.whole() ? this.exact() : this.#formatter.usd(this.usd()),
    ].join(''),
  );
}
