import type { TokenMeterId } from '../meters.ts';
import type { MODEL_CAPABILITIES } from '../../catalog/models.ts';
import type { MeterPricesView, TierFactor } from '../price-fields.ts';

/**
 * The prices of a model as any list has them, all of them said: null is what holds without one, as
 * in the admin API. The body of a price is exactly this.
 */
export interface ListPrices extends ListTokenPrices {
  readonly perCallUsd: string | null;
  readonly extra: MeterPricesView;
  readonly longContext:
    | (ListTokenPrices & {
        readonly aboveTokens: number;
        readonly extra: Partial<Record<TokenMeterId, string>>;
      })
    | null;
  readonly tiers: TierFactor[];
}

export interface ListTokenPrices {
  readonly inputUsd: string;
  readonly outputUsd: string;
  readonly cachedInputUsd: string | null;
  readonly cacheWriteUsd: string | null;
}

/**
 * The reason why a part of a list is not in the prices: Weir has no meter for it; it is no price;
 * it has more decimals than money has; it is a further threshold, or cheaper than in a shorter
 * prompt; no single factor makes the prices of a tier; it depends on what Weir does not
 * distinguish; writing to a cache is free though input is not, which is a price that no one
 * entered; input or output is free.
 */
export type LeftOutReason =
  | 'no_meter'
  | 'unreadable'
  | 'rounded'
  | 'threshold'
  | 'cheaper'
  | 'no_factor'
  | 'one_of_several'
  | 'free_cache_write'
  | 'free_tokens';

export interface LeftOut {
  /** The field's name in the list. */
  readonly field: string;
  readonly reason: LeftOutReason;
}

export interface ListedModel {
  /** The key in the list: `openrouter/openai/gpt-4o`. */
  readonly key: string;
  /** The list's name for the provider; '' if it has none. */
  readonly provider: string;
  /** The provider's name for the model. */
  readonly name: string;
  readonly displayName: string;
  /** Null where the list does not say so. */
  readonly contextTokensMax: number | null;
  readonly outputTokensMax: number | null;
  readonly capabilities: (typeof MODEL_CAPABILITIES)[number][];
  /** Null where input or output has no price per token. */
  readonly prices: ListPrices | null;
  readonly leftOut: readonly LeftOut[];
}

export type PriceListFormat = 'weir' | 'litellm' | 'models.dev';

export interface PriceList {
  readonly format: PriceListFormat;
  readonly models: readonly ListedModel[];
}

/** The fault of a text that should be a list. */
export type PriceListFault =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly detail: string }
  /** JSON, but neither of the lists that are known. */
  | { readonly kind: 'format' }
  | { readonly kind: 'unpriced' };
