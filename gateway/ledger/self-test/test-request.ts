import { randomUUID } from 'node:crypto';
import type { UsageRecordJson } from '@weir/shared/watch/usage-record';
import type { Payer } from '../ledger.ts';

/** A payer of the self-test: no store has heard of it, and none keeps it. */
export function testPayer(): Payer {
  return {
    account: {
      id: randomUUID(),
      status: 'active',
      concurrencyMax: null,
      preference: 'subscription_first',
    },
    key: {
      id: randomUUID(),
      status: 'active',
      expiresAtMs: null,
      budgets: [],
      concurrencyMax: null,
      // With a limit the counters of rates are used, too.
      rpm: 1_000,
      tpm: 1_000_000,
    },
    group: { id: randomUUID(), rpm: 1_000, tpm: null },
    subscriptions: [],
  };
}

/**
 * Returns the record of a request that cost one nanodollar.
 * @param nowMs by the store's clock: it refuses requests of another day, and a machine whose clock
 *   is wrong must start to say so
 */
export function testRecord(
  { account, key, group }: Payer,
  requestId: string,
  nowMs: number,
): UsageRecordJson {
  return {
    requestId,
    accountId: account.id,
    keyId: key.id,
    groupId: group.id,
    model: 'self-test',
    channelId: null,
    protocol: 'openai-chat',
    upstreamProtocol: 'openai-chat',
    createdAtMs: nowMs,
    status: 'completed',
    httpStatus: 200,
    stream: false,
    input: 1,
    cachedInput: 0,
    cacheWrite: 0,
    output: 1,
    reasoning: 0,
    inputNanoUsd: 0,
    cachedInputNanoUsd: 0,
    cacheWriteNanoUsd: 0,
    outputNanoUsd: 0,
    perCallNanoUsd: 1,
    multiplierPpm: 1_000_000,
    costNanoUsd: 1,
    estimated: false,
    capped: false,
    attempts: 1,
    latencyMs: 1,
    firstByteMs: null,
  };
}
