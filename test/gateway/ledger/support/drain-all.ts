import type pg from 'pg';
import { expect } from 'vitest';
import { partitionKey, PARTITION_NAMES } from '../../../../gateway/ledger/partition.ts';
import type { RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { startDrain, type UsageDrain } from '../../../../gateway/usage/drain.ts';
import { HANG_MS, until } from '../../../support/clocks/hang.ts';

interface Stores {
  readonly redis: RedisClient;
  readonly pool: pg.Pool;
}

/** Usage entries in Redis. */
export async function waitingEntries(redis: RedisClient): Promise<number> {
  const lengths = PARTITION_NAMES.map((_name, at) => redis.xlen(partitionKey(at, 'usage')));
  return (await Promise.all(lengths)).reduce((sum, length) => sum + length, 0);
}

/**
 * Stops a drain once it has inserted everything. `stop` alone gives up on a store that is silent
 * for three seconds, as a slow one may be.
 */
export async function untilDrained(redis: RedisClient, drain: UsageDrain): Promise<void> {
  await until('the drain of all usage', async () => {
    const { waiting, failure } = drain.status();
    return waiting === 0 && failure === null && (await waitingEntries(redis)) === 0;
  });
  await drain.stop(HANG_MS);
}

/** Inserts all usage in Redis into Postgres; returns the number of new records. */
export async function drainAll({ redis, pool }: Stores, readers = 1): Promise<number> {
  const drains = Array.from({ length: readers }, () =>
    startDrain({ redis, pool, ageMsMin: 0, pauseMs: 5 }),
  );
  await Promise.all(drains.map((drain) => untilDrained(redis, drain)));
  for (const drain of drains) expect(drain.status()).toMatchObject({ waiting: 0, rejected: 0 });
  return drains.reduce((sum, drain) => sum + drain.status().added, 0);
}
