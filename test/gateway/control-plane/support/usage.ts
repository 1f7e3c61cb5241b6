import type pg from 'pg';
import type { UsageRecordJson } from '@weir/shared/watch/usage-record';
import { newRequestId } from '../../../../gateway/platform/ids/request-id.ts';

const USD = 1_000_000_000;

interface Entered extends Partial<UsageRecordJson> {
  readonly accountId: string;
  readonly keyId: string;
  readonly groupId: string;
  readonly model: string;
  readonly balanceNanoUsd?: number;
  readonly subscriptions?: readonly {
    readonly id: string;
    readonly startedAtMs: number;
    readonly amountNanoUsd: number;
  }[];
  readonly uncollectedNanoUsd?: number;
}

/** 1,000 tokens in at 2 USD and 500 out at 10 USD per million: 0.007 USD. */
const RECORD = {
  channelId: null,
  status: 'completed',
  httpStatus: 200,
  stream: true,
  input: 1000,
  cachedInput: 0,
  cacheWrite: 0,
  output: 500,
  reasoning: 0,
  inputNanoUsd: 2 * USD,
  cachedInputNanoUsd: 2 * USD,
  cacheWriteNanoUsd: 2 * USD,
  outputNanoUsd: 10 * USD,
  perCallNanoUsd: 0,
  multiplierPpm: 1_000_000,
  costNanoUsd: 7_000_000,
  estimated: false,
  capped: false,
  attempts: 1,
  latencyMs: 900,
  firstByteMs: 200,
} satisfies Partial<UsageRecordJson>;

/**
 * Enters records into the book as the drain does, or as what Redis had lost; answers their request
 * ids.
 */
export async function insertUsage(
  pool: pg.Pool,
  records: readonly Entered[],
  isLost = false,
): Promise<string[]> {
  const entries = records.map(({ balanceNanoUsd, subscriptions, uncollectedNanoUsd, ...given }) => {
    const createdAtMs = given.createdAtMs ?? Date.now();
    const record = { ...RECORD, requestId: newRequestId(createdAtMs), createdAtMs, ...given };
    return {
      ...record,
      partition: null,
      epoch: null,
      settledAtMs: createdAtMs + record.latencyMs,
      balanceNanoUsd: balanceNanoUsd ?? record.costNanoUsd,
      uncollectedNanoUsd: uncollectedNanoUsd ?? 0,
      subscriptions: subscriptions ?? [],
    };
  });
  await pool.query('select enter_usage($1, $2)', [JSON.stringify(entries), isLost]);
  return entries.map(({ requestId }) => requestId);
}
