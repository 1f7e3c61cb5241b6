import { describe, expect, it } from 'vitest';
import type { Prices, TokenCounts } from '@weir/shared/watch/usage-record';
import { NANO_USD_MAX } from '@weir/shared/money/money';
import { Catalog } from '../../../../gateway/catalog/catalog.ts';
import type { ChannelEntry, ModelEntry } from '../../../../gateway/catalog/snapshot.ts';
import { compilePrices } from '../../../../gateway/pricing/compile-prices.ts';
import type { ModelPrices } from '../../../../gateway/pricing/model-prices.ts';
import { upstreamCost } from '../../../../gateway/data-plane/billing/upstream-cost.ts';

const USD = 1_000_000_000;
const ONE = 1_000_000;

const PRICES: Prices = {
  inputNanoUsd: 3 * USD,
  cachedInputNanoUsd: 0.3 * USD,
  cacheWriteNanoUsd: 3.75 * USD,
  outputNanoUsd: 15 * USD,
  perCallNanoUsd: 7,
};
const TOKENS: TokenCounts = {
  input: 1_000,
  cachedInput: 600,
  cacheWrite: 100,
  output: 50,
  reasoning: 20,
};
/** 300 plain, 600 read, 100 written, 50 of output, and the call. */
const COST = 300 * 3_000 + 600 * 300 + 100 * 3_750 + 50 * 15_000 + 7;

function costOf(
  { prices, longContext, tiers }: ModelPrices,
  tokens: TokenCounts,
  tier: { readonly reported?: string; readonly billed?: string } = {},
): number | undefined {
  return upstreamCost(compilePrices(prices, ONE, longContext, tiers), {
    tokens,
    reportedTier: tier.reported,
    billedTier: tier.billed ?? null,
  });
}

const plain = (prices: Prices): ModelPrices => ({ prices, longContext: null });

describe('what a request cost at its upstream', () => {
  it('is exact for plain input, cache reads, cache writes, output and the call', () => {
    expect(costOf(plain(PRICES), TOKENS)).toBe(COST);
  });

  it('is rounded up once, by less than a nanodollar', () => {
    const odd = { ...PRICES, inputNanoUsd: 1, cachedInputNanoUsd: 1, cacheWriteNanoUsd: 1 };
    expect(costOf(plain({ ...odd, outputNanoUsd: 1, perCallNanoUsd: 0 }), TOKENS)).toBe(1);
  });

  it('has each meter at its own price', () => {
    const extra = {
      cacheWrite1h: 6 * USD,
      audioInput: 40 * USD,
      imageInput: 5 * USD,
      audioOutput: 80 * USD,
      imageOutput: 30 * USD,
      webSearch: 0.01 * USD,
    };
    const counts = {
      cacheWrite1h: 10,
      audioInput: 20,
      imageInput: 30,
      audioOutput: 5,
      imageOutput: 6,
      webSearch: 2,
    };
    expect(costOf(plain({ ...PRICES, extra }), { ...TOKENS, extra: counts })).toBe(
      (300 - 60) * 3_000 +
        (600 * 300 + 100 * 3_750 + 7) +
        (10 * 6_000 + 20 * 40_000 + 30 * 5_000) +
        (50 - 11) * 15_000 +
        (5 * 80_000 + 6 * 30_000) +
        2 * 10_000_000,
    );
  });

  it.each([{ webSearch: 1 }, { cacheWrite1h: 1 }])(
    'is unknown, never too little, when %j was used and has no price there',
    (extra) => {
      expect(costOf(plain(PRICES), { ...TOKENS, extra })).toBeUndefined();
    },
  );

  it('of images is in the basis of the price there, or unknown: never nothing', () => {
    const free = { inputNanoUsd: 0, cachedInputNanoUsd: 0, cacheWriteNanoUsd: 0 };
    const none = { ...free, outputNanoUsd: 0, perCallNanoUsd: 0 };
    const perImage = { ...none, extra: { image: 2 * USD, variants: { high: 3 * USD } } };
    const noTokens = { ...TOKENS, input: 0, cachedInput: 0, cacheWrite: 0, output: 0 };
    const made = { image: 2, variant: '1024x1024 high' };
    expect(costOf(plain(perImage), { ...noTokens, extra: made })).toBe(2 * 3 * USD);
    expect(costOf(plain(perImage), TOKENS)).toBeUndefined();
    expect(costOf(plain(PRICES), { ...TOKENS, extra: made })).toBe(COST);
    expect(costOf(plain(PRICES), { ...noTokens, extra: made })).toBeUndefined();
  });

  it('is that of long prompts above their limit, whatever was held', () => {
    const long = { ...PRICES, inputNanoUsd: 6 * USD, outputNanoUsd: 30 * USD };
    const prices = { prices: PRICES, longContext: { aboveTokens: 999, prices: long } };
    expect(costOf(prices, TOKENS)).toBe(COST + 300 * 3_000 + 50 * 15_000);
    expect(costOf(prices, { ...TOKENS, input: 999 })).toBe(COST - 3_000);
  });

  it('follows the tier that the upstream reports, not the one that is billed', () => {
    const tiers = { priority: 2 * ONE, flex: ONE / 2 };
    const prices = { ...plain({ ...PRICES, perCallNanoUsd: 0 }), tiers };
    const ordinary = COST - 7;
    expect(costOf(prices, TOKENS, { reported: 'priority' })).toBe(2 * ordinary);
    expect(costOf(prices, TOKENS, { reported: 'flex', billed: 'flex' })).toBe(ordinary / 2);
    // Asked for and billed, but the upstream chose the ordinary one and says nothing.
    expect(costOf(prices, TOKENS, { billed: 'priority' })).toBe(2 * ordinary);
  });

  it('is unknown for a tier that is sold at a price of its own and has none there', () => {
    expect(costOf(plain(PRICES), TOKENS, { reported: 'flex', billed: 'flex' })).toBeUndefined();
    expect(costOf(plain(PRICES), TOKENS, { reported: 'on_demand' })).toBe(COST);
  });

  it('is unknown where it is more than an amount can be, and the bill goes on', () => {
    const dear = { ...PRICES, inputNanoUsd: NANO_USD_MAX };
    expect(costOf(plain(dear), { ...TOKENS, input: 5_000_000 })).toBeUndefined();
  });
});

describe('what a route costs', () => {
  const model: ModelEntry = {
    id: 'model',
    publicId: 'public',
    vendor: '',
    createdAtSeconds: 0,
    contextTokensMax: 1_000,
    outputTokensMax: 1_000,
    reasoning: false,
    ...plain(PRICES),
    longContext: { aboveTokens: 10, prices: { ...PRICES, outputNanoUsd: 30 * USD } },
    tiers: { priority: 2 * ONE },
  };

  function routeWith(part: {
    readonly factor?: number | null;
    readonly own?: ModelPrices;
  }): ReturnType<typeof compilePrices> | null | undefined {
    const group = {
      id: 'group',
      name: '',
      active: true,
      isPublic: true,
      rpm: null,
      tpm: null,
      protocols: null,
    };
    const served = { modelId: 'model', upstreamName: 'up' };
    const channel: Partial<ChannelEntry> = {
      id: 'channel',
      priority: 0,
      groupIds: [],
      models: [part.own === undefined ? served : { ...served, upstreamPrices: part.own }],
      ...(part.factor === undefined ? {} : { upstreamFactorPpm: part.factor }),
    };
    const offer = new Catalog({
      version: 1,
      // The group's multiplier is the customer's, not the upstream's.
      groups: [{ ...group, multiplierPpm: 3 * ONE, modelIds: ['model'] }],
      models: [model],
      channels: [channel as ChannelEntry],
      uncheckedKeyPrefixes: [],
    }).offer({ groupId: 'group', memberships: new Map() }, 'public');
    if ('missing' in offer) throw new Error('no offer');
    return offer.routes[0]?.upstreamPrices;
  }

  it('is unknown without a price and a factor', () => {
    expect(routeWith({})).toBeNull();
    expect(routeWith({ factor: null })).toBeNull();
  });

  it('is the list price times the factor, with its long prompts and tiers, without the group', () => {
    const prices = routeWith({ factor: 800_000 });
    if (!prices) throw new Error('no prices');
    const use = { tokens: { ...TOKENS, input: 701 }, reportedTier: undefined, billedTier: null };
    const long = 1 * 3_000 + 600 * 300 + 100 * 3_750 + 50 * 30_000 + 7;
    expect(upstreamCost(prices, use)).toBe(Math.ceil(long * 0.8));
    expect(prices.tiers.get('priority')?.factorPpm).toBe(2 * ONE);
  });

  it('is its own price before the factor', () => {
    const own = plain({ ...PRICES, inputNanoUsd: 1 * USD });
    expect(routeWith({ factor: 800_000, own })?.listed).toEqual(own.prices);
  });

  it('is nothing with a factor of 0, which is known', () => {
    const prices = routeWith({ factor: 0 });
    if (!prices) throw new Error('no prices');
    const use = { tokens: TOKENS, reportedTier: undefined, billedTier: null };
    expect(upstreamCost(prices, use)).toBe(0);
  });
});
