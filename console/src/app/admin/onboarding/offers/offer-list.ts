import { Component, computed, inject, input, output } from '@angular/core';
import { MatButton } from '@angular/material/button';
import type { PriceList } from '@weir/shared/prices/price-lists/price-list';
import { I18n, type Option } from '../../../core/i18n/i18n';
import { Dialogs } from '../../../design/dialog/dialogs';
import { Pills } from '../../../design/field/pills';
import { SearchBox } from '../../../design/field/search-box';
import { Icon } from '../../../design/icon/icon';
import { isMarkup } from '../../price-lists/markup';
import type { Offer } from './offer';
import { OfferRow } from './offer-row';
import type { OfferFilter, Offers } from './offers';
import { PriceListDialog } from '../price-list-dialog';

/** The models of an upstream to be ticked and priced, below a heading of its own. */
@Component({
  selector: 'weir-offer-list',
  imports: [Icon, MatButton, OfferRow, Pills, SearchBox],
  templateUrl: './offer-list.html',
  styleUrl: './offer-list.scss',
})
export class OfferList {
  readonly #dialogs = inject(Dialogs);
  protected readonly t = inject(I18n).t;
  readonly offers = input.required<Offers>();
  /** True if a model can be tried before it is saved. */
  readonly testable = input(false);
  readonly tried = output<Offer>();

  protected readonly markupIsRight = computed(() => {
    const text = this.offers().markup().trim();
    return text === '' || isMarkup(text);
  });
  protected readonly filters = computed((): readonly Option<OfferFilter>[] => [
    { value: 'all', label: this.t('onboard.all') },
    { value: 'new', label: this.t('onboard.new') },
    { value: 'sold', label: this.t('onboard.sold') },
    { value: 'ticked', label: this.t('onboard.ticked') },
  ]);

  protected setMarkup(event: Event): void {
    if (event.target instanceof HTMLInputElement) this.offers().setMarkup(event.target.value);
  }

  protected async importPrices(): Promise<void> {
    const list = await this.#dialogs.open<Offers, PriceList>(PriceListDialog, {
      data: this.offers(),
      wide: true,
    });
    if (list !== undefined) this.offers().useList(list);
  }
}
