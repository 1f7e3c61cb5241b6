import type { UpstreamKind } from '@weir/shared/catalog/channels';
import { METER_IDS } from '@weir/shared/prices/meters';
import type { Prices } from '@weir/shared/watch/usage-record';
import { longContextOf, pricesOf } from '../pricing/listed-prices.ts';
import { billedPrice } from '../pricing/meter-prices.ts';
import type { ModelPrices, OrdinaryPrices } from '../pricing/model-prices.ts';
import {
  ANTHROPIC,
  GOOGLE,
  LISTED_GROUPS,
  LISTED_MODELS,
  OPENAI,
  type ListedModel,
} from '../pricing/price-list.ts';

/** A model as a first start creates it. */
export interface PlannedModel extends Omit<ListedModel, keyof ModelPrices>, ModelPrices {
  /** A channel serves it. The others are kept disabled, ready for a channel of their own. */
  readonly served: boolean;
  readonly groups: readonly string[];
}

export interface CatalogPlan {
  readonly models: readonly PlannedModel[];
  /** IDs of UPSTREAM_MODELS that are not on the price list. */
  readonly unlisted: readonly string[];
}

/**
 * The assumed context of a model that is not on the price list; an upstream refuses longer prompts
 * itself.
 */
const UNLISTED_CONTEXT_TOKENS = 128_000;
const UNLISTED_OUTPUT_TOKENS = 32_000;

/**
 * The vendor whose models alone an upstream serves. Upstreams compatible with OpenAI serve those of
 * any vendor.
 */
const VENDORS_BY_KIND: Readonly<Partial<Record<UpstreamKind, string>>> = {
  anthropic: ANTHROPIC,
  gemini: GOOGLE,
  azure: OPENAI,
  // Its ids of other makers' models are not those of the list.
  bedrock: 'Amazon',
  vertex: GOOGLE,
};

/**
 * Decides what an empty catalog is filled with.
 *
 * A model without a price cannot be served, and one that is served too cheaply loses money without
 * a sound. So an ID that is not on the price list is billed like the most expensive model that is,
 * kind of token by kind of token, and the start says so.
 * @param upstreamModels UPSTREAM_MODELS; empty when every listed model is served that the kind of
 *   upstream can have.
 */
export function planCatalog(upstreamModels: readonly string[], kind: UpstreamKind): CatalogPlan {
  const vendor = VENDORS_BY_KIND[kind];
  const wanted = new Set(upstreamModels);
  const listed = LISTED_MODELS.map((model) => ({
    ...model,
    prices: pricesOf(model.publicId, model.prices),
    longContext: longContextOf(model),
    served:
      wanted.size === 0
        ? vendor === undefined || model.vendor === vendor
        : wanted.has(model.publicId),
    groups: groupsOf(model.vendor),
  }));
  const known = new Set(LISTED_MODELS.map(({ publicId }) => publicId));
  const unlisted = [...wanted].filter((publicId) => !known.has(publicId));
  const costliest = costliestOf(listed.map(({ prices }) => prices));
  return { models: [...listed, ...unlisted.map((id) => unlistedModel(id, costliest))], unlisted };
}

function unlistedModel(publicId: string, prices: Prices): PlannedModel {
  return {
    publicId,
    displayName: publicId,
    vendor: '',
    contextTokensMax: UNLISTED_CONTEXT_TOKENS,
    outputTokensMax: UNLISTED_OUTPUT_TOKENS,
    capabilities: [],
    prices,
    longContext: null,
    served: true,
    groups: groupsOf(''),
  };
}

function groupsOf(vendor: string): string[] {
  return LISTED_GROUPS.filter(({ vendors }) => vendors?.includes(vendor) ?? true).map(
    ({ name }) => name,
  );
}

function costliestOf(all: readonly Prices[]): Prices {
  const costliest = (kind: keyof OrdinaryPrices): number =>
    Math.max(...all.map((prices) => prices[kind]));
  const priced = METER_IDS.filter((meter) => all.some(({ extra }) => extra?.[meter] !== undefined));
  const extra = priced.map((meter) => {
    return [meter, Math.max(...all.map((prices) => billedPrice(prices, meter)))] as const;
  });
  return {
    inputNanoUsd: costliest('inputNanoUsd'),
    // It is not known that this upstream gives a discount.
    cachedInputNanoUsd: costliest('inputNanoUsd'),
    cacheWriteNanoUsd: costliest('cacheWriteNanoUsd'),
    outputNanoUsd: costliest('outputNanoUsd'),
    perCallNanoUsd: costliest('perCallNanoUsd'),
    extra: Object.fromEntries(extra),
  };
}
