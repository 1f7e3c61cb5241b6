import { compilePrices, type CompiledPrices } from '../pricing/compile-prices.ts';
import type { ModelPrices } from '../pricing/model-prices.ts';
import { PPM_ONE } from '../pricing/tier-prices.ts';
import { keyPrefix } from '../platform/secrets/api-key.ts';
import { idsBehind } from '../protocols/cloud-model-ids.ts';
import { accountPriceNow, type AccountPrices } from './account-prices.ts';
import { mayUse, type Memberships } from './memberships.ts';
import type {
  CatalogSnapshot,
  ChannelEntry,
  ChannelModel,
  GroupEntry,
  ModelEntry,
} from './snapshot.ts';

/** A channel as it serves one model. */
export interface Route {
  readonly channel: ChannelEntry;
  /** The upstream's name of the model. */
  readonly upstreamModel: string;
  /** The public ID of the model, which identifies it if the upstream's name does not. */
  readonly publicId?: string;
  /** The location of the upstream; absent: the one that the channel's base address names. */
  readonly location?: string;
  /** The operator's choice of its profile; null or absent: by address and name. */
  readonly chosenProfile?: string | null;
  /** Prices at the upstream; null or absent if unknown. */
  readonly upstreamPrices?: CompiledPrices | null;
}

/** One model as one group may use it: its price there and the channels that serve it. */
export interface Offer {
  readonly model: ModelEntry;
  readonly group: GroupEntry;
  readonly prices: CompiledPrices;
  /** Highest priority first. */
  readonly routes: readonly Route[];
}

/**
 * The reason why a model is not available. `similar` is a public ID that differs in case, white
 * space or the vendor before it.
 */
export type NoOffer =
  | { readonly missing: 'model'; readonly similar: string | null }
  | { readonly missing: 'permission' };

/** For whom an offer is: the group of a key, and what its account was given. */
export interface OfferedTo {
  readonly groupId: string;
  readonly memberships: Memberships;
  /** Null or absent for an account without prices of its own. */
  readonly accountPrices?: AccountPrices | null;
}

/** Offers at accounts' own prices that one snapshot keeps; beyond it, they are computed again. */
const OWN_OFFERS_MAX = 10_000;

/** A snapshot indexed for the request path. All answers come from memory. */
export class Catalog {
  readonly version: number;
  readonly #groups: ReadonlyMap<string, GroupEntry>;
  readonly #models: ReadonlyMap<string, ModelEntry>;
  /** The models by what is alike in names: the whole public ID in small letters, and its end. */
  readonly #modelsByLowerCase: ReadonlyMap<string, readonly ModelEntry[]>;
  readonly #modelsByBareName: ReadonlyMap<string, readonly ModelEntry[]>;
  readonly #channels: readonly ChannelEntry[];
  readonly #uncheckedKeyPrefixes: ReadonlySet<string>;
  readonly #offers = new Map<string, Map<string, Offer>>();
  /** Offers at prices of accounts' own, by multiplier and the offer at the group's price. */
  readonly #ownOffers = new Map<number, Map<Offer, Offer>>();
  #ownOffersCount = 0;
  /** Offers at prices of one account for one model, as long as a verified key has these prices. */
  readonly #accountOffers = new WeakMap<ModelPrices, Map<Offer, Offer>>();

  constructor(snapshot: CatalogSnapshot) {
    this.version = snapshot.version;
    this.#groups = new Map(snapshot.groups.map((group) => [group.id, group]));
    this.#models = new Map(snapshot.models.map((model) => [model.publicId, model]));
    this.#modelsByLowerCase = Map.groupBy(snapshot.models, ({ publicId }) =>
      publicId.toLowerCase(),
    );
    this.#modelsByBareName = Map.groupBy(snapshot.models, ({ publicId }) => bareName(publicId));
    this.#channels = snapshot.channels.toSorted((a, b) => b.priority - a.priority);
    this.#uncheckedKeyPrefixes = new Set(snapshot.uncheckedKeyPrefixes);
    for (const group of snapshot.groups) this.#offers.set(group.id, new Map());
  }

  group(groupId: string): GroupEntry | undefined {
    return this.#groups.get(groupId);
  }

  channel(channelId: string): ChannelEntry | undefined {
    return this.#channels.find(({ id }) => id === channelId);
  }

  /** All that its channels have. */
  credentials(): ReadonlySet<string> {
    return new Set(this.#channels.flatMap(({ credentials }) => credentials));
  }

  /** All groups, in the order of the price list. */
  groups(): GroupEntry[] {
    return [...this.#groups.values()];
  }

  /** Reports whether an id is that of the model with this public ID. */
  isModel(modelId: string, publicId: string | null): boolean {
    return publicId !== null && this.#models.get(publicId)?.id === modelId;
  }

  /** Reports whether a key without check letters begins like one that exists. */
  mayBeUncheckedKey(key: string): boolean {
    const prefixes = this.#uncheckedKeyPrefixes;
    return prefixes.size > 0 && (prefixes.has(keyPrefix(key)) || prefixes.has(''));
  }

  /** The models of a group, in the order of the price list. */
  models(groupId: string): ModelEntry[] {
    const ids = new Set(this.#groups.get(groupId)?.modelIds);
    return [...this.#models.values()].filter((model) => ids.has(model.id));
  }

  /**
   * Returns the price of a model for an account in one of its groups, and the channels that serve
   * it. The account's price for the model goes before its multiplier in the group, and that before
   * the group's. Computed at first use and kept.
   */
  offer({ groupId, memberships, accountPrices }: OfferedTo, publicId: string): Offer | NoOffer {
    const offer = this.#listed(groupId, publicId);
    if (offer === undefined) return this.#noOffer(memberships, publicId);
    const price = accountPrices == null ? null : accountPriceNow(accountPrices, offer.model.id);
    if (price !== null) return this.#atAccountPrice(offer, price);
    const ownPpm = memberships.get(groupId)?.multiplierPpm ?? null;
    return ownPpm === null ? offer : this.#atOwnPrice(offer, ownPpm);
  }

  /** The offer at the group's price. */
  #listed(groupId: string, publicId: string): Offer | undefined {
    const offers = this.#offers.get(groupId);
    const known = offers?.get(publicId);
    if (known !== undefined) return known;
    const model = this.#models.get(publicId);
    const group = this.#groups.get(groupId);
    if (model === undefined || offers === undefined) return undefined;
    if (group?.modelIds.includes(model.id) !== true) return undefined;
    const offer: Offer = {
      model,
      group,
      prices: compilePrices(model.prices, group.multiplierPpm, model.longContext, model.tiers),
      routes: this.#routes(model, group),
    };
    offers.set(publicId, offer);
    return offer;
  }

  /**
   * Returns the public ID of the model that a client names: by that ID, or by one that a cloud has
   * for the model. Of several the group's own comes first, then the most exact. The name itself
   * where there is none: a model of groups that the account may not use is hidden from it.
   */
  publicIdOf({ groupId, memberships }: OfferedTo, name: string): string {
    if (this.#models.has(name)) return name;
    const known = idsBehind(name).flatMap((id) => this.#models.get(id) ?? []);
    if (known.length === 0) return name;
    const modelIds = this.#groups.get(groupId)?.modelIds;
    const own = known.find(({ id }) => modelIds?.includes(id) === true);
    if (own !== undefined) return own.publicId;
    return known.find(({ id }) => this.#isVisible(memberships, id))?.publicId ?? name;
  }

  /** Reports whether a model is in a group that an account may use. */
  #isVisible(memberships: Memberships, modelId: string): boolean {
    return this.groups().some(
      (group) => mayUse(memberships, group) && group.modelIds.includes(modelId),
    );
  }

  /** The offer at a price that no multiplier changes. */
  #atAccountPrice(offer: Offer, price: ModelPrices): Offer {
    let offers = this.#accountOffers.get(price);
    if (offers === undefined) {
      offers = new Map();
      this.#accountOffers.set(price, offers);
    }
    const known = offers.get(offer);
    if (known !== undefined) return known;
    const made: Offer = {
      ...offer,
      group: { ...offer.group, multiplierPpm: PPM_ONE },
      prices: compilePrices(price.prices, PPM_ONE, price.longContext, price.tiers),
    };
    offers.set(offer, made);
    return made;
  }

  #atOwnPrice(offer: Offer, multiplierPpm: number): Offer {
    let own = this.#ownOffers.get(multiplierPpm);
    const known = own?.get(offer);
    if (known !== undefined) return known;
    if (this.#ownOffersCount >= OWN_OFFERS_MAX) {
      this.#ownOffers.clear();
      this.#ownOffersCount = 0;
      own = undefined;
    }
    if (own === undefined) {
      own = new Map();
      this.#ownOffers.set(multiplierPpm, own);
    }
    const { model, group, routes } = offer;
    const made: Offer = {
      model,
      group: { ...group, multiplierPpm },
      prices: compilePrices(model.prices, multiplierPpm, model.longContext, model.tiers),
      routes,
    };
    own.set(offer, made);
    this.#ownOffersCount += 1;
    return made;
  }

  /** A model that is in none of the account's groups does not exist for it: nothing reveals it. */
  #noOffer(memberships: Memberships, publicId: string): NoOffer {
    const model = this.#models.get(publicId);
    return model !== undefined && this.#isVisible(memberships, model.id)
      ? { missing: 'permission' }
      : { missing: 'model', similar: this.#similarTo(memberships, publicId) };
  }

  /**
   * Finds the visible model whose name differs least; a whole ID goes before the end of another.
   * By indexes: a client may ask for unknown models all the time.
   */
  #similarTo(memberships: Memberships, asked: string): string | null {
    // Routers put the vendor before a name, as in `vendor/model`.
    const name = asked.trim().toLowerCase();
    const similar = [name, bareName(name)].flatMap((wanted) => [
      ...(this.#modelsByLowerCase.get(wanted) ?? []),
      ...(this.#modelsByBareName.get(wanted) ?? []),
    ]);
    return similar.find(({ id }) => this.#isVisible(memberships, id))?.publicId ?? null;
  }

  #routes(model: ModelEntry, group: GroupEntry): Route[] {
    return this.#channels.flatMap((channel) => {
      const served = channel.models.find(({ modelId }) => modelId === model.id);
      const open = channel.groupIds.length === 0 || channel.groupIds.includes(group.id);
      if (served === undefined || !open) return [];
      const { upstreamName: upstreamModel, profile: chosenProfile = null } = served;
      const { publicId } = model;
      const prices = upstreamPrices(channel, served, model);
      return [{ channel, upstreamModel, publicId, chosenProfile, upstreamPrices: prices }];
    });
  }
}

/** The price that was entered for the model there, or its list price times the channel's factor. */
function upstreamPrices(
  { upstreamFactorPpm }: ChannelEntry,
  { upstreamPrices: own }: ChannelModel,
  model: ModelEntry,
): CompiledPrices | null {
  if (own !== undefined) {
    return compilePrices(own.prices, PPM_ONE, own.longContext, own.tiers);
  }
  if (upstreamFactorPpm == null) return null;
  return compilePrices(model.prices, upstreamFactorPpm, model.longContext, model.tiers);
}

/**
 * A name without the vendors before it and without the variant of a router's behind it, such as
 * `:free`.
 */
function bareName(publicId: string): string {
  const name = publicId.slice(publicId.lastIndexOf('/') + 1).toLowerCase();
  return name.replace(/:(?:free|nitro|floor|online|extended|thinking)$/, '');
}
