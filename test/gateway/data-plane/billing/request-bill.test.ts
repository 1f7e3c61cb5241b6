import { describe, expect, it } from 'vitest';
import type { Prices, TokenCounts } from '@weir/shared/watch/usage-record';
import type { Offer } from '../../../../gateway/catalog/catalog.ts';
import { compilePrices } from '../../../../gateway/pricing/compile-prices.ts';
import { makeUsageRecord } from '../../../../gateway/data-plane/billing/request-bill.ts';

const USD = 1_000_000_000;

const ORDINARY: Prices = {
  inputNanoUsd: 4 * USD,
  cachedInputNanoUsd: 0.2 * USD,
  cacheWriteNanoUsd: 5 * USD,
  outputNanoUsd: 20 * USD,
  perCallNanoUsd: 0,
};
const TURN: TokenCounts = {
  input: 1_000,
  cachedInput: 200,
  cacheWrite: 30,
  output: 50,
  reasoning: 0,
};

function recordOf(prices: Prices, tokens: TokenCounts) {
  const offer: Pick<Offer, 'prices'> & { group: object; model: object } = {
    prices: compilePrices(prices, 1_000_000),
    group: { id: 'group', multiplierPpm: 1_000_000 },
    model: { publicId: 'claude-opus-5-5' },
  };
  return makeUsageRecord({
    requestId: 'request',
    accountId: 'account',
    keyId: 'key',
    offer: offer as Offer,
    stream: true,
    createdAtMs: 1,
    startedAtMs: 1,
    endedAtMs: 2,
    firstByteAtMs: null,
    status: 'completed',
    httpStatus: 200,
    channelId: 'channel',
    protocol: 'openai-chat',
    upstreamProtocol: 'openai-chat',
    attempts: 1,
    tokens,
    tier: null,
    promptTokensHeld: 1_000,
    estimated: false,
    capped: false,
  });
}

describe('a record', () => {
  const listed = { ...ORDINARY, extra: { cacheWrite1h: 8 * USD, webSearch: 0.01 * USD } };

  it('has the prices of what meters counted, and of nothing else', () => {
    const { prices, costNanoUsd } = recordOf(listed, { ...TURN, extra: { cacheWrite1h: 40 } });
    expect(prices).toEqual({ ...ORDINARY, extra: { cacheWrite1h: 8 * USD } });
    expect(costNanoUsd).toBe(4_430_000);
  });

  it('of a request without them is as it is for a model without such prices', () => {
    expect(recordOf(listed, TURN).prices).toEqual(ORDINARY);
    expect(recordOf(ORDINARY, TURN).prices).toBe(ORDINARY);
  });

  it('tells what was billed where the model has no price of its own', () => {
    const extra = { cacheWrite1h: 40, audioOutput: 5 };
    const { prices, costNanoUsd } = recordOf(ORDINARY, { ...TURN, extra });
    expect(prices.extra).toEqual({ cacheWrite1h: 5 * USD, audioOutput: 20 * USD });
    expect(costNanoUsd).toBe(730 * 4_000 + 200 * 200 + 70 * 5_000 + 50 * 20_000);
  });
});
