import { computed, signal } from '@angular/core';
import type { Pricing, PricingModel } from '@weir/shared/prices/prices';
import type { ApiPort } from '../core/api/call-input';
import { compare, decimal } from '../core/format/decimal';
import { Loadable } from '../core/state/loadable';

export type PriceOrder = 'listed' | 'cheapest' | 'name';

export interface PricedModel {
  readonly model: PricingModel;
  /** In the chosen group, or before any group's multiplier when none is chosen. */
  readonly prices: PricingModel['prices'];
  /** The announced prices, in the same group. */
  readonly next: { readonly from: string; readonly prices: PricingModel['prices'] } | null;
  readonly groupIds: readonly string[];
}

function matches(model: PricingModel, search: string): boolean {
  const wanted = search.toLowerCase();
  return [model.publicId, model.displayName, model.vendor].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}

function priced(model: PricingModel, groupId: string): PricedModel | undefined {
  const groupIds = model.groups.map((group) => group.groupId);
  const announced = (prices: PricingModel['prices'] | null): PricedModel['next'] =>
    model.next && prices && { from: model.next.effectiveFrom, prices };
  if (groupId === '') {
    return { model, prices: model.prices, next: announced(model.next?.prices ?? null), groupIds };
  }
  const group = model.groups.find((candidate) => candidate.groupId === groupId);
  if (group === undefined) return undefined;
  return { model, prices: group.prices, next: announced(group.nextPrices), groupIds };
}

function byPrice(one: PricedModel, other: PricedModel): number {
  return compare(decimal(one.prices.outputUsd), decimal(other.prices.outputUsd));
}

/** The public price list: everything is there at once, so it is searched without asking again. */
export class PricingState {
  readonly pricing: Loadable<Pricing>;
  readonly search = signal('');
  readonly groupId = signal('');
  readonly capability = signal('');
  readonly order = signal<PriceOrder>('listed');

  readonly rows = computed(() => {
    const search = this.search();
    const capability = this.capability();
    const rows = (this.pricing.value()?.models ?? [])
      .filter((model) => search === '' || matches(model, search))
      .filter((model) => capability === '' || model.capabilities.some((has) => has === capability))
      .flatMap((model) => priced(model, this.groupId()) ?? []);
    switch (this.order()) {
      case 'listed':
        return rows;
      case 'cheapest':
        return rows.toSorted(byPrice);
      case 'name':
        return rows.toSorted((one, other) =>
          one.model.publicId.localeCompare(other.model.publicId),
        );
    }
  });

  readonly hasOwnPrice = computed(() => this.rows().some(({ model }) => model.ownPrice));

  readonly hasLongContext = computed(() =>
    this.rows().some(({ prices }) => prices.longContext !== null),
  );

  readonly group = computed(() =>
    this.pricing.value()?.groups.find(({ id }) => id === this.groupId()),
  );

  constructor(api: ApiPort) {
    this.pricing = new Loadable(() => api.call('getPricing'));
  }
}
