import { expect } from 'vitest';
import type pg from 'pg';
import {
  reconcileRecords,
  reconcilePostgresLedger,
} from '../../../../gateway/ledger/reconcile/reconcile-postgres.ts';
import { reconcileRedis } from '../../../../gateway/ledger/reconcile/reconcile-redis.ts';
import type { RedisClient } from '../../../../gateway/stores/redis/connect.ts';

/** Everything that `npm run reconcile` recomputes is consistent. */
export async function expectReconciled(pool: pg.Pool, redis?: RedisClient): Promise<void> {
  expect(await reconcileRecords(pool)).toEqual([]);
  if (redis === undefined) expect(await reconcilePostgresLedger(pool)).toEqual([]);
  else expect((await reconcileRedis(redis, pool)).differences).toEqual([]);
}
