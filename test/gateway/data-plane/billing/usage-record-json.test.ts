import { expect, it } from 'vitest';
import type { Offer } from '../../../../gateway/catalog/catalog.ts';
import { usageRecordJson } from '../../../../gateway/data-plane/billing/request-bill.ts';
import type { UsageRecord, UsageRecordJson } from '@weir/shared/watch/usage-record';

const RECORD: UsageRecord = {
  requestId: '01a1fdf9-70bf-71ac-a0c2-a982125fb697',
  accountId: '01a1fdf9-70bf-724f-9f5d-6a5f886aa59a',
  keyId: '01a1fdf9-70d3-7760-8ebb-5a24255385dc',
  groupId: '01a1fdf9-6fff-74cb-aaaf-80a4c21c7a78',
  model: 'a "quoted" / 名字',
  channelId: '01a1fdf9-6fff-74cb-aaaf-80a4c21c7a79',
  protocol: 'anthropic-messages',
  upstreamProtocol: 'openai-chat',
  createdAtMs: 1_795_262_398_000,
  status: 'completed',
  httpStatus: 200,
  stream: true,
  tokens: { input: 4, cachedInput: 1, cacheWrite: 2, output: 77, reasoning: 3 },
  prices: {
    inputNanoUsd: 1,
    cachedInputNanoUsd: 2,
    cacheWriteNanoUsd: 3,
    outputNanoUsd: 4,
    perCallNanoUsd: 5,
  },
  multiplierPpm: 1_000_000,
  costNanoUsd: 38_900,
  estimated: false,
  capped: true,
  attempts: 2,
  latencyMs: 12,
  firstByteMs: 7,
};

const TOKENS = { input: 4, cachedInput: 0, cacheWrite: 0, output: 77, reasoning: 0 };
/** The most common kind of record, for which most of the text is cached. */
const USUAL: UsageRecord = { ...RECORD, tokens: TOKENS, stream: false, capped: false, attempts: 1 };

const METERED: UsageRecord = {
  ...USUAL,
  tokens: { ...TOKENS, extra: { cacheWrite1h: 1, webSearch: 2 } },
  prices: { ...RECORD.prices, extra: { cacheWrite1h: 6, webSearch: 7 } },
};

/** Its JSON as the type describes it. */
function flat({ tokens, prices, ...rest }: UsageRecord): UsageRecordJson {
  const { extra: extraMeters, ...counts } = tokens;
  const { extra: extraPrices, ...ordinary } = prices;
  return {
    ...rest,
    ...counts,
    ...ordinary,
    ...(extraMeters && { extraMeters }),
    ...(extraPrices && { extraPrices }),
  };
}

it.each<UsageRecord>([
  RECORD,
  { ...RECORD, channelId: null, firstByteMs: null, stream: false },
  USUAL,
  { ...USUAL, stream: true },
  { ...USUAL, upstreamCostNanoUsd: 31_120 },
  { ...USUAL, upstreamCostNanoUsd: 0 },
  { ...USUAL, protocol: 'gemini', upstreamProtocol: null },
  { ...USUAL, status: 'client_disconnected' },
  { ...USUAL, httpStatus: 0 },
  { ...USUAL, attempts: 2 },
  { ...USUAL, estimated: true },
  { ...USUAL, capped: true },
  { ...USUAL, tokens: { ...TOKENS, cachedInput: 1 } },
  { ...USUAL, tokens: { ...TOKENS, cacheWrite: 1 } },
  { ...USUAL, tokens: { ...TOKENS, reasoning: 1 } },
  METERED,
  { ...USUAL, tier: 'priority' },
  { ...USUAL, memberId: 7 },
  { ...RECORD, memberId: 7, teamId: 12 },
  { ...METERED, tier: 'flex' },
])('writes every member, those of tokens and prices alongside the others: %#', (record) => {
  const offer = {} as Offer;
  expect(JSON.parse(usageRecordJson(record, offer))).toEqual(flat(record));
  // The second time the offer's part comes from the cache.
  expect(JSON.parse(usageRecordJson(record, offer))).toEqual(flat(record));
});

it('writes the prices of each record, also where those of one offer differ', () => {
  const offer = {} as Offer;
  const long = { ...RECORD, prices: { ...RECORD.prices, inputNanoUsd: 2 } };
  for (const record of [RECORD, long, RECORD, METERED, RECORD]) {
    expect(JSON.parse(usageRecordJson(record, offer))).toEqual(flat(record));
  }
});
