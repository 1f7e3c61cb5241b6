import { Component, computed, inject, input } from '@angular/core';
import type { LongContextView } from '@weir/shared/prices/price-fields';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';

type Part = Exclude<keyof LongContextView, 'aboveTokens' | 'extra'>;

/**
 * Shows the price of a kind of token in a long prompt below its ordinary one; nothing if they are
 * the same.
 */
@Component({
  selector: 'weir-long-price',
  template: `{{ words() }}`,
  host: { class: 'small soft' },
  styles: `
    :host {
      display: block;
    }
  `,
})
export class LongPrice {
  readonly #t = inject(I18n).t;
  readonly #formatter = inject(Formatter);
  readonly longContext = input.required<LongContextView | null>();
  readonly part = input.required<Part>();

  protected readonly words = computed(() => {
    const longContext = this.longContext();
    if (longContext === null) return '';
    return this.#t('models.longPrice', {
      price: this.#formatter.price(longContext[this.part()]),
      tokens: this.#formatter.number(longContext.aboveTokens),
    });
  });
}
