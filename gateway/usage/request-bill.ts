import type { TokenCounts, UsageRecord, UsageStatus } from '@weir/shared/usage-record';
import type { Offer } from '../catalog/catalog.ts';
import { cost } from '../pricing/cost.ts';

/** What is known about a request when it is over. */
export interface RequestOutcome {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly offer: Offer;
  readonly stream: boolean;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly firstByteAtMs: number | null;
  readonly status: UsageStatus;
  readonly httpStatus: number;
  readonly channelId: string | null;
  readonly attempts: number;
  readonly tokens: TokenCounts;
  readonly estimated: boolean;
  readonly capped: boolean;
}

/** The usage record of a request that is to be billed; its cost is computed here, once. */
export function makeUsageRecord(outcome: RequestOutcome): UsageRecord {
  const { offer, startedAtMs, firstByteAtMs } = outcome;
  return {
    requestId: outcome.requestId,
    accountId: outcome.accountId,
    keyId: outcome.keyId,
    groupId: offer.group.id,
    model: offer.model.publicId,
    channelId: outcome.channelId,
    createdAtMs: startedAtMs,
    status: outcome.status,
    httpStatus: outcome.httpStatus,
    stream: outcome.stream,
    tokens: outcome.tokens,
    prices: offer.model.prices,
    multiplierPpm: offer.group.multiplierPpm,
    costNanoUsd: cost(offer.prices, outcome.tokens),
    estimated: outcome.estimated,
    capped: outcome.capped,
    attempts: outcome.attempts,
    latencyMs: outcome.endedAtMs - startedAtMs,
    firstByteMs: firstByteAtMs === null ? null : firstByteAtMs - startedAtMs,
  };
}

/** What all records of an offer share, as JSON: made once for thousands of requests. */
const offerJson = new WeakMap<Offer, string>();

/**
 * The record of `makeUsageRecord` as JSON, equal to what JSON.stringify makes of it but for the order of its members.
 * Put together by hand because it is written for every request: this takes a fifth of the time.
 */
export function usageRecordJson(record: UsageRecord, offer: Offer): string {
  let shared = offerJson.get(offer);
  if (shared === undefined) {
    const { groupId, model, prices, multiplierPpm } = record;
    shared = JSON.stringify({ groupId, model, prices, multiplierPpm }).slice(1);
    offerJson.set(offer, shared);
  }
  const { tokens, channelId } = record;
  // Ids are UUIDs and statuses plain words: nothing here needs an escape.
  return (
    `{"requestId":"${record.requestId}","accountId":"${record.accountId}","keyId":"${record.keyId}",` +
    `"channelId":${channelId === null ? 'null' : `"${channelId}"`},"createdAtMs":${record.createdAtMs},` +
    `"status":"${record.status}","httpStatus":${record.httpStatus},"stream":${String(record.stream)},` +
    `"tokens":{"input":${tokens.input},"cachedInput":${tokens.cachedInput},"cacheWrite":${tokens.cacheWrite},` +
    `"output":${tokens.output},"reasoning":${tokens.reasoning}},"costNanoUsd":${record.costNanoUsd},` +
    `"estimated":${String(record.estimated)},"capped":${String(record.capped)},"attempts":${record.attempts},` +
    `"latencyMs":${record.latencyMs},"firstByteMs":${String(record.firstByteMs)},${shared}`
  );
}
