import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  storeWatermark,
  postgresBehindWatermark,
} from '../../../gateway/ledger/redis/recovery/postgres-watermark.ts';
import { foreignLedger } from '../../../gateway/ledger/redis/recovery/ledger-ownership.ts';
import type { RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { openBothStores, type BothStores } from '../../support/stores/both-stores.ts';

let stores: BothStores;
let pool: pg.Pool;
let redis: RedisClient;

beforeAll(async () => {
  stores = await openBothStores();
  ({ pool, redis } = stores);
});
afterAll(() => stores.close());

async function record(): Promise<number> {
  await pool.query(`select record_change('credit', 'somebody')`);
  const { rows } = await pool.query<{ newest: number }>(
    'select max(sequence)::bigint as newest from changes',
  );
  return rows[0]?.newest ?? 0;
}

it('a database that was restored from a backup is not taken for the one whose credits Redis has', async () => {
  expect(await foreignLedger(redis, pool)).toBeUndefined();
  const backup = await record();
  const lost = await record();
  await storeWatermark(redis, lost);
  expect(await foreignLedger(redis, pool)).toBeUndefined();

  // The state of the backup.
  await pool.query('delete from changes where sequence > $1', [backup]);
  await pool.query(`select setval('changes_sequence_seq', $1)`, [backup]);
  expect(await foreignLedger(redis, pool)).toMatch(
    /^PostgreSQL is older than the ledger in Redis: .*restored.*redis-cli (-u "\$REDIS_URL" FLUSHDB|--cluster call HOST:PORT FLUSHDB --cluster-only-masters)$/s,
  );
  await redis.flushdb();
  expect(await foreignLedger(redis, pool)).toBeUndefined();
});

it('changes that were trimmed because they are old do not make a database older', async () => {
  await storeWatermark(redis, await record());
  await pool.query('delete from changes');
  expect(await foreignLedger(redis, pool)).toBeUndefined();
});

it('a change that is made and noted while somebody looks does not make a database older', async () => {
  await storeWatermark(redis, await record());
  const changing: Pick<pg.Pool, 'query'> = Object.create(pool, {
    query: {
      value: async (text: string) => {
        const answer = await pool.query(text);
        await storeWatermark(redis, await record());
        return answer;
      },
    },
  }) as pg.Pool;
  expect(await postgresBehindWatermark(redis, changing)).toBeUndefined();
});
