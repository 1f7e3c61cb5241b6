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

export const NO_TOKENS: TokenCounts = {
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
};

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
