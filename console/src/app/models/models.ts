import { Component, computed, effect, inject, input, signal } from '@angular/core';
import { MODEL_CAPABILITIES } from '@weir/shared/catalog/models';
import type { MeterPricesView } from '@weir/shared/prices/price-fields';
import type { PricingModel } from '@weir/shared/prices/prices';
import { Api } from '../core/api/api';
import { Formatter } from '../core/format/formatter';
import { labelledPrices, type LabelledPrice } from '../core/i18n/meter-label';
import { I18n } from '../core/i18n/i18n';
import { CopyButton } from '../design/code/copy-button';
import { Filter } from '../design/field/filter';
import { Pills } from '../design/field/pills';
import { SearchBox } from '../design/field/search-box';
import { PAGE_PARTS } from '../design/page/page-parts';
import { Near } from '../design/table/near';
import { LongPrice } from './long-price';
import { TierFactors } from './tier-factors';
import { PricingState, type PriceOrder } from './pricing-state';

/** Rows are drawn by so many: 300 models with all their prices are 24,000 nodes. */
const ROWS_STEP = 25;

@Component({
  selector: 'weir-models',
  imports: [CopyButton, Filter, LongPrice, Near, Pills, SearchBox, TierFactors, PAGE_PARTS],
  templateUrl: './models.html',
  styleUrl: './models.scss',
})
export class Models {
  readonly #i18n = inject(I18n);
  protected readonly t = this.#i18n.t;
  protected readonly formatter = inject(Formatter);
  protected readonly state = new PricingState(inject(Api));
  protected readonly skeletons = [1, 2, 3, 4, 5, 6];

  readonly #rowsMax = signal(ROWS_STEP);
  protected readonly rows = computed(() => this.state.rows().slice(0, this.#rowsMax()));

  protected readonly groupPills = computed(() => [
    { value: '', label: this.t('models.listPrice') },
    ...(this.state.pricing.value()?.groups ?? []).map(({ id, name }) => ({
      value: id,
      label: name,
    })),
  ]);
  protected readonly capabilityOptions = computed(() =>
    MODEL_CAPABILITIES.map((value) => ({ value, label: this.t(`capability.${value}`) })),
  );
  protected readonly orders = computed((): { value: PriceOrder; label: string }[] => [
    { value: 'listed', label: this.t('models.orderListed') },
    { value: 'cheapest', label: this.t('models.orderCheapest') },
    { value: 'name', label: this.t('models.orderName') },
  ]);

  /** Query parameter: what to look for at first. */
  readonly search = input<string>();

  constructor() {
    effect(() => this.state.search.set(this.search() ?? ''));
    void this.state.pricing.load();
  }

  protected showMore(): void {
    this.#rowsMax.update((count) => count + ROWS_STEP);
  }

  protected groupName(id: string): string {
    return this.state.pricing.value()?.groups.find((group) => group.id === id)?.name ?? '';
  }

  protected protocolsOf({ protocols }: PricingModel): string {
    return protocols.map((protocol) => this.t(`protocol.${protocol}`)).join(', ');
  }

  protected perCall(amount: string): boolean {
    return amount !== '0';
  }

  protected meterPrices(prices: MeterPricesView): readonly LabelledPrice[] {
    return labelledPrices(this.t, prices);
  }

  protected chooseOrder(order: string): void {
    const known = this.orders().find(({ value }) => value === order);
    this.state.order.set(known?.value ?? 'listed');
  }
}
