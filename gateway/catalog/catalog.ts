import { compilePrices, type CompiledPrices } from '../pricing/compile-prices.ts';
import { PPM_ONE } from '../pricing/tier-prices.ts';
import { keyPrefix } from '../platform/secrets/api-key.ts';
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
  /** What the channel's upstream calls the model. */
  readonly upstreamModel: string;
  /** What it costs there; null or absent where that is unknown. */
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
 * Why a model cannot be had. `similar` is a public ID that differs in case, white space or the
 * vendor before it.
 */
export type NoOffer =
  | { readonly missing: 'model'; readonly similar: string | null }
  | { readonly missing: 'permission' };

/** A snapshot indexed for the request path. All answers come from memory. */
export class Catalog {
  readonly version: number;
  readonly #groups: ReadonlyMap<string, GroupEntry>;
  readonly #models: ReadonlyMap<string, ModelEntry>;
  readonly #publicIdsByLowerCase: ReadonlyMap<string, string>;
  readonly #channels: readonly ChannelEntry[];
  readonly #uncheckedKeyPrefixes: ReadonlySet<string>;
  readonly #offers = new Map<string, Map<string, Offer>>();

  constructor(snapshot: CatalogSnapshot) {
    this.version = snapshot.version;
    this.#groups = new Map(snapshot.groups.map((group) => [group.id, group]));
    this.#models = new Map(snapshot.models.map((model) => [model.publicId, model]));
    const publicIds = snapshot.models.map(({ publicId }) => publicId);
    // A whole ID goes before the end of another.
    this.#publicIdsByLowerCase = new Map([
      ...publicIds.map((publicId) => [bareName(publicId), publicId] as const),
      ...publicIds.map((publicId) => [publicId.toLowerCase(), publicId] as const),
    ]);
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

  /** Whether an id is that of the model with this public ID. */
  isModel(modelId: string, publicId: string | null): boolean {
    return publicId !== null && this.#models.get(publicId)?.id === modelId;
  }

  /** Whether a key without check letters begins like one that exists. */
  mayBeUncheckedKey(key: string): boolean {
    const prefixes = this.#uncheckedKeyPrefixes;
    return prefixes.size > 0 && (prefixes.has(keyPrefix(key)) || prefixes.has(''));
  }

  /** The models of a group, in the order of the price list. */
  models(groupId: string): ModelEntry[] {
    const ids = new Set(this.#groups.get(groupId)?.modelIds);
    return [...this.#models.values()].filter((model) => ids.has(model.id));
  }

  /** What a group pays for a model and where it is served, computed at first use and kept. */
  offer(groupId: string, publicId: string): Offer | NoOffer {
    const offers = this.#offers.get(groupId);
    const known = offers?.get(publicId);
    if (known !== undefined) return known;
    const model = this.#models.get(publicId);
    const group = this.#groups.get(groupId);
    if (model === undefined) {
      return { missing: 'model', similar: this.#similarTo(publicId) };
    }
    if (offers === undefined || group?.modelIds.includes(model.id) !== true) {
      return { missing: 'permission' };
    }
    const offer: Offer = {
      model,
      group,
      prices: compilePrices(model.prices, group.multiplierPpm, model.longContext, model.tiers),
      routes: this.#routes(model, group),
    };
    offers.set(publicId, offer);
    return offer;
  }

  /** Routers put the vendor before a name, as in `vendor/model`. */
  #similarTo(publicId: string): string | null {
    const name = publicId.trim().toLowerCase();
    const known = this.#publicIdsByLowerCase;
    return known.get(name) ?? known.get(bareName(name)) ?? null;
  }

  #routes(model: ModelEntry, group: GroupEntry): Route[] {
    return this.#channels.flatMap((channel) => {
      const served = channel.models.find(({ modelId }) => modelId === model.id);
      const open = channel.groupIds.length === 0 || channel.groupIds.includes(group.id);
      if (served === undefined || !open) return [];
      const { upstreamName: upstreamModel } = served;
      return [{ channel, upstreamModel, upstreamPrices: upstreamPrices(channel, served, model) }];
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
