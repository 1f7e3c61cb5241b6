import { Component, computed, inject, input, output } from '@angular/core';
import { ReactiveFormsModule } from '@angular/forms';
import { MatButton } from '@angular/material/button';
import { METER_IDS, METERS } from '@weir/shared/prices/meters';
import type { ListPrices } from '@weir/shared/prices/price-lists/price-list';
import { Formatter } from '../../../core/format/formatter';
import { I18n } from '../../../core/i18n/i18n';
import { FailureNote } from '../../../design/feedback/failure-note';
import { Chip, type Tone } from '../../../design/text/chip';
import { LeftOutNote } from '../../price-lists/left-out';
import type { Offer } from './offer';
import { OfferField } from './offer-field';
import { LIST_NAMES } from '../price-list-dialog';

const STATES = {
  new: { tone: 'brand', key: 'onboard.new' },
  sold: { tone: 'plain', key: 'onboard.sold' },
  unpriced: { tone: 'warn', key: 'onboard.unpriced' },
} as const satisfies Readonly<
  Record<Offer['state'], { readonly tone: Tone; readonly key: string }>
>;

/** One model of the upstream: whether it is sold, as what, for how much, and whether it answers. */
@Component({
  selector: 'weir-offer-row',
  imports: [Chip, FailureNote, LeftOutNote, MatButton, OfferField, ReactiveFormsModule],
  templateUrl: './offer-row.html',
  styleUrl: './offer-row.scss',
})
export class OfferRow {
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly lists = LIST_NAMES;
  readonly offer = input.required<Offer>();
  readonly testable = input(false);
  readonly ticked = output<boolean>();
  readonly tried = output();

  protected readonly state = computed(() => STATES[this.offer().state]);
  /** Fields if there is something to be typed, otherwise the texts. */
  protected readonly isOpen = computed(() => this.offer().ticked() && !this.offer().isSold);
  protected readonly price = computed(() => this.offer().model?.price ?? this.offer().prices());
  protected readonly others = computed(() => {
    const prices = this.offer().prices();
    return prices === undefined ? '' : this.#othersOf(prices);
  });

  /** Returns the other prices of a list: all but input and output. */
  #othersOf(prices: ListPrices): string {
    const money = (usd: string): string => this.formatter.price(usd);
    const { cachedInputUsd, cacheWriteUsd, perCallUsd, longContext, extra, tiers } = prices;
    const of = (name: string, usd: string | null | undefined): string[] =>
      usd === null || usd === undefined ? [] : [`${name} ${money(usd)}`];
    return [
      ...of(this.t('models.cachedInput'), cachedInputUsd),
      ...of(this.t('models.cacheWrite'), cacheWriteUsd),
      ...of(this.t('prices.perCall'), perCallUsd),
      ...METER_IDS.flatMap((id) => of(this.t(`priceLine.${METERS[id].part}`), extra[id])),
      ...(longContext === null
        ? []
        : [
            this.t('onboard.above', {
              tokens: this.formatter.number(longContext.aboveTokens),
              input: money(longContext.inputUsd),
              output: money(longContext.outputUsd),
            }),
          ]),
      ...tiers.map(({ tier, factor }) => `${tier} ×${factor}`),
    ].join(' · ');
  }

  protected tick(event: Event): void {
    if (event.target instanceof HTMLInputElement) this.ticked.emit(event.target.checked);
  }
}
