import type { ProtocolId, UpstreamProtocolId } from '@weir/shared/catalog/protocols';
import type {
  Prices,
  TokenCounts,
  UsageRecord,
  UsageStatus,
} from '@weir/shared/watch/usage-record';
import type { Offer } from '../../catalog/catalog.ts';
import { membersJson } from '../../platform/json/json-value.ts';
import type { CompiledPrices } from '../../pricing/compile-prices.ts';
import { cost, pricesFor } from '../../pricing/cost.ts';
import { pricesOfTier } from '../../pricing/tiers.ts';
import { pricesOfBilledVariant, type AskedVariant } from '../../pricing/variants.ts';
import { billedPrice, mapMeters } from '../../pricing/meter-prices.ts';

/** The facts about a request at its end. */
export interface RequestOutcome {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly memberId?: number | undefined;
  readonly teamId?: number | undefined;
  readonly offer: Offer;
  readonly protocol: ProtocolId;
  readonly upstreamProtocol: UpstreamProtocolId | null;
  readonly stream: boolean;
  /** On the ledger's clock; the record is filed under it. */
  readonly createdAtMs: number;
  /** These three on the steady clock. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly firstByteAtMs: number | null;
  readonly status: UsageStatus;
  readonly httpStatus: number;
  readonly channelId: string | null;
  readonly attempts: number;
  readonly tokens: TokenCounts;
  /** Nothing was delivered: not even the price of a call is charged. */
  readonly free?: boolean;
  /** The tier of processing that is billed; null for the ordinary one. */
  readonly tier: string | null;
  /** The variant that was asked for, of what is priced by units. */
  readonly variant?: AskedVariant | undefined;
  /** Tokens of the prompt that the hold covered. */
  readonly promptTokensHeld: number;
  readonly estimated: boolean;
  readonly capped: boolean;
  /** The cost of the request at its upstream; undefined if it is unknown. */
  readonly upstreamCostNanoUsd?: number | undefined;
}

/**
 * The usage record of a billed request; its cost is computed here, once. The prices for long
 * prompts apply when the upstream reports a long prompt and the hold has covered one: a report
 * alone never costs more than was held.
 */
export function makeUsageRecord(outcome: RequestOutcome): UsageRecord {
  const { offer, tokens, startedAtMs, firstByteAtMs } = outcome;
  const ofTier = pricesOfTier(offer.prices, outcome.tier);
  const ofVariant = pricesOfBilledVariant(ofTier, tokens.extra?.variant, outcome.variant);
  const prices = pricesFor(ofVariant, Math.min(tokens.input, outcome.promptTokensHeld));
  return {
    requestId: outcome.requestId,
    accountId: outcome.accountId,
    keyId: outcome.keyId,
    memberId: outcome.memberId,
    teamId: outcome.teamId,
    groupId: offer.group.id,
    model: offer.model.publicId,
    channelId: outcome.channelId,
    protocol: outcome.protocol,
    upstreamProtocol: outcome.upstreamProtocol,
    createdAtMs: outcome.createdAtMs,
    status: outcome.status,
    httpStatus: outcome.httpStatus,
    stream: outcome.stream,
    tokens,
    prices: outcome.free === true ? freePrices(prices) : billedPrices(prices, tokens),
    ...(outcome.tier === null ? {} : { tier: outcome.tier }),
    multiplierPpm: offer.group.multiplierPpm,
    costNanoUsd: outcome.free === true ? 0 : cost(prices, tokens),
    upstreamCostNanoUsd: outcome.upstreamCostNanoUsd,
    estimated: outcome.estimated,
    capped: outcome.capped,
    attempts: outcome.attempts,
    latencyMs: outcome.endedAtMs - startedAtMs,
    firstByteMs: firstByteAtMs === null ? null : firstByteAtMs - startedAtMs,
  };
}

/** The prices of what was counted: those of meters are in the record only if they were counted. */
function billedPrices({ listed, ordinary }: CompiledPrices, { extra }: TokenCounts): Prices {
  if (extra === undefined) return ordinary;
  const ofMeters = mapMeters(extra, (_count, meter) => billedPrice(listed, meter));
  const secondsMin = extra.second === undefined ? undefined : listed.extra?.secondsMin;
  return { ...ordinary, extra: secondsMin === undefined ? ofMeters : { ...ofMeters, secondsMin } };
}

/** The prices of a record without tokens: it says what its cost of nothing was computed from. */
function freePrices({ ordinary }: CompiledPrices): Prices {
  return ordinary.perCallNanoUsd === 0 ? ordinary : { ...ordinary, perCallNanoUsd: 0 };
}

/** The JSON that records of an offer with the same prices share. */
interface SharedJson {
  readonly prices: Prices;
  readonly json: string;
}

/** Cached JSON, used by thousands of requests; rebuilt when a long prompt follows a short one. */
const offerJson = new WeakMap<Offer, SharedJson>();

type RecordState = Pick<
  UsageRecord,
  'status' | 'httpStatus' | 'stream' | 'attempts' | 'estimated' | 'capped'
>;

/** The most common outcome. */
const COMPLETED = {
  status: 'completed',
  httpStatus: 200,
  attempts: 1,
  estimated: false,
  capped: false,
} as const;
const COMPLETED_WHOLE = membersJson({ ...COMPLETED, stream: false });
const COMPLETED_STREAM = membersJson({ ...COMPLETED, stream: true });
const NO_PARTS = membersJson({ cachedInput: 0, cacheWrite: 0, reasoning: 0 });

/**
 * The record of `makeUsageRecord` as a `UsageRecordJson`. Written by hand because every request
 * needs it, and in few pieces: joining a piece costs as much as fifty characters. With forty pieces
 * it was slower than JSON.stringify, with these it takes half the time.
 */
export function usageRecordJson(record: UsageRecord, offer: Offer): string {
  const { channelId, firstByteMs, upstreamCostNanoUsd: upstreamCost, memberId, teamId } = record;
  // Ids are UUIDs and need no escaping.
  return (
    `{"requestId":"${record.requestId}","accountId":"${record.accountId}","keyId":"${record.keyId}",` +
    `${memberId === undefined ? '' : `"memberId":${memberId},`}${teamId === undefined ? '' : `"teamId":${teamId},`}` +
    `"channelId":${channelId === null ? 'null' : `"${channelId}"`},${spokenJson(record)},"createdAtMs":${record.createdAtMs},` +
    `${tokensJson(record.tokens)},"costNanoUsd":${record.costNanoUsd},"latencyMs":${record.latencyMs},` +
    `"firstByteMs":${firstByteMs ?? 'null'},${upstreamCost === undefined ? '' : `"upstreamCostNanoUsd":${upstreamCost},`}` +
    `${courseJson(record)},${sharedJson(record, offer)}}`
  );
}

/** Pairs of client and upstream protocols as JSON: they are few, so each is written once. */
const spokenPairs = new Map<ProtocolId, Map<UpstreamProtocolId | null, string>>();

function spokenJson({ protocol, upstreamProtocol }: UsageRecord): string {
  let byUpstream = spokenPairs.get(protocol);
  if (byUpstream === undefined) {
    byUpstream = new Map();
    spokenPairs.set(protocol, byUpstream);
  }
  let json = byUpstream.get(upstreamProtocol);
  if (json === undefined) {
    json = membersJson({ protocol, upstreamProtocol });
    byUpstream.set(upstreamProtocol, json);
  }
  return json;
}

function sharedJson(record: UsageRecord, offer: Offer): string {
  const { groupId, model, prices, multiplierPpm, tier } = record;
  const known = offerJson.get(offer);
  if (known?.prices === prices) return known.json;
  const { extra, ...ordinary } = prices;
  const extraPrices = extra && { extraPrices: extra };
  const json = membersJson({
    groupId,
    model,
    ...ordinary,
    ...extraPrices,
    multiplierPpm,
    ...(tier && { tier }),
  });
  // Those with meters are of this one request.
  if (prices.extra === undefined) offerJson.set(offer, { prices, json });
  return json;
}

function courseJson({
  status,
  httpStatus,
  stream,
  attempts,
  estimated,
  capped,
}: RecordState): string {
  if (status === 'completed' && httpStatus === 200 && attempts === 1 && !estimated && !capped) {
    return stream ? COMPLETED_STREAM : COMPLETED_WHOLE;
  }
  return membersJson({ status, httpStatus, stream, attempts, estimated, capped });
}

function tokensJson(tokens: TokenCounts): string {
  const { input, output, cachedInput, cacheWrite, reasoning, extra } = tokens;
  const none = cachedInput === 0 && cacheWrite === 0 && reasoning === 0;
  const parts = none ? NO_PARTS : membersJson({ cachedInput, cacheWrite, reasoning });
  const meters = extra === undefined ? '' : `,"extraMeters":${JSON.stringify(extra)}`;
  return `"input":${input},"output":${output},${parts}${meters}`;
}
