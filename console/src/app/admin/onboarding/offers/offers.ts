import { computed, signal } from '@angular/core';
import { FormArray } from '@angular/forms';
import type { ChannelModel } from '@weir/shared/catalog/channels';
import type { ModelView } from '@weir/shared/catalog/models';
import { nanoUsdOf } from '@weir/shared/prices/price-lists/exact-price';
import { PriceFinder } from '@weir/shared/prices/price-lists/find-price';
import type { ListedModel, PriceList } from '@weir/shared/prices/price-lists/price-list';
import { decimal, type Decimal } from '../../../core/format/decimal';
import { factorOf } from '../../models/prices/scale-price';
import { isMarkup } from '../../price-lists/markup';
import { Offer, type NewModel, type OfferForm, type Proposal } from './offer';

export type OfferFilter = 'all' | 'new' | 'sold' | 'ticked';

/** Limit of shown offers; the search finds others. */
const SHOWN_MAX = 100;

/** The models of an upstream, which of them are ticked, and what they are to cost. */
export class Offers {
  readonly all = signal<readonly Offer[]>([]);
  readonly search = signal('');
  readonly filter = signal<OfferFilter>('all');
  readonly showsAll = signal(false);
  /** Per cent on top of the price of a list. */
  readonly markup = signal('0');
  /** In the order of a body, so that what the server says of one is said at its fields. */
  readonly newModels = new FormArray<OfferForm>([]);
  readonly #lists = signal<readonly { readonly list: PriceList; readonly finder: PriceFinder }[]>(
    [],
  );
  #providers: readonly string[] = [];

  readonly ticked = computed(() => this.all().filter((offer) => offer.ticked()));
  readonly tickedNew = computed(() => this.ticked().filter(({ isSold }) => !isSold));
  readonly unpriced = computed(() => this.tickedNew().filter((offer) => !hasPrice(offer)));
  /** The offers that are ready to be sold as proposed. */
  readonly proposed = computed(() =>
    this.all().filter((offer) => !offer.isSold && offer.prices() !== undefined),
  );
  readonly found = computed(() => {
    const text = this.search().toLowerCase();
    const filter = this.filter();
    return this.all().filter(
      (offer) =>
        (text === '' || offer.upstreamName.toLowerCase().includes(text)) && isIn(offer, filter),
    );
  });
  readonly shown = computed(() =>
    this.showsAll() ? this.found() : this.found().slice(0, SHOWN_MAX),
  );
  /** The checkbox above all rows: those that are found, not those that happen to be shown. */
  readonly allTicked = computed(
    () => this.found().length > 0 && this.found().every((offer) => offer.ticked()),
  );

  /** Takes the upstream's names in; what was ticked and typed of the same ones stays. */
  fill(
    names: readonly string[],
    {
      catalog,
      providers,
    }: { readonly catalog: readonly ModelView[]; readonly providers: readonly string[] },
  ): void {
    const known = new Map(this.all().map((offer) => [offer.upstreamName, offer]));
    const models = catalogMatches(names, catalog);
    this.#providers = providers;
    this.all.set(
      [...new Set(names)].map((name) => known.get(name) ?? new Offer(name, models.get(name))),
    );
    this.#propose();
    this.#sync();
  }

  /** A list that is imported comes before those that were there. */
  useList(list: PriceList): void {
    this.#lists.update((lists) => [{ list, finder: new PriceFinder(list) }, ...lists]);
    this.#propose();
  }

  setMarkup(percent: string): void {
    this.markup.set(percent);
    this.#propose();
  }

  /** Returns a list's prices of a model, by the rules by which prices are proposed. */
  find(finder: PriceFinder, offer: Offer) {
    return finder.find(offer.upstreamName, this.#providers);
  }

  tick(offers: readonly Offer[], ticked: boolean): void {
    for (const offer of offers) offer.ticked.set(ticked);
    this.#sync();
  }

  /** Shows all ticked offers, so that every field that may be wrong is visible. */
  showTicked(): void {
    const shown = new Set(this.shown());
    if (this.ticked().every((offer) => shown.has(offer))) return;
    this.search.set('');
    this.filter.set('ticked');
    this.showsAll.set(true);
  }

  served(): ChannelModel[] {
    return this.ticked().flatMap(({ isSold, model, upstreamName }) =>
      isSold && model !== undefined ? [{ modelId: model.id, upstreamName }] : [],
    );
  }

  body(): NewModel[] {
    return this.tickedNew().map((offer) => offer.body());
  }

  #propose(): void {
    const factor = this.#factor();
    if (factor === undefined) return;
    for (const offer of this.all()) {
      if (!offer.isSold) offer.propose(this.#proposalFor(offer), factor);
    }
    this.#sync();
  }

  #proposalFor(offer: Offer): Proposal | undefined {
    for (const { list, finder } of this.#lists()) {
      const listed = this.find(finder, offer);
      // A price of 0 is mostly one that no one entered: people who mean it type it.
      if (listed !== undefined && !isFree(listed)) return { format: list.format, listed };
    }
    return undefined;
  }

  #factor(): Decimal | undefined {
    const text = this.markup().trim();
    if (text === '') return decimal('1');
    return isMarkup(text) ? factorOf(text) : undefined;
  }

  #sync(): void {
    const forms = this.tickedNew().map(({ form }) => form);
    this.newModels.clear({ emitEvent: false });
    for (const form of forms) this.newModels.push(form, { emitEvent: false });
    this.newModels.updateValueAndValidity();
  }
}

function isFree({ prices }: ListedModel): boolean {
  if (prices === null) return false;
  return [prices.inputUsd, prices.perCallUsd ?? '0'].every((usd) => nanoUsdOf(usd) === 0n);
}

function hasPrice({ prices, form }: Offer): boolean {
  const { inputUsd, outputUsd } = form.controls.prices.controls;
  return prices() !== undefined || (inputUsd.value !== '' && outputUsd.value !== '');
}

function isIn(offer: Offer, filter: OfferFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'new':
      return !offer.isSold;
    case 'sold':
      return offer.isSold;
    case 'ticked':
      return offer.ticked();
  }
}

/**
 * Models of ours by the upstream's names: of the same name, or of what is behind its last slash, if
 * no other name of the upstream is for that one.
 */
function catalogMatches(
  names: readonly string[],
  catalog: readonly ModelView[],
): ReadonlyMap<string, ModelView> {
  const ours = new Map(catalog.map((model) => [model.publicId, model]));
  const endOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1);
  const ends = new Map<string, number>();
  for (const name of new Set(names)) ends.set(endOf(name), (ends.get(endOf(name)) ?? 0) + 1);
  return new Map(
    names.flatMap((name) => {
      const model =
        ours.get(name) ?? (ends.get(endOf(name)) === 1 ? ours.get(endOf(name)) : undefined);
      return model === undefined ? [] : [[name, model] as const];
    }),
  );
}
