import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Stores } from '../../gateway/boot/stores/open-stores.ts';
import { startDrain } from '../../gateway/usage/drain.ts';
import { untilDrained } from '../gateway/ledger/support/drain-all.ts';
import { expectReconciled } from '../gateway/ledger/support/reconcile.ts';
import { tryStores } from '../gateway/boot/support/try-stores.ts';
import { startFakeUpstream, type FakeUpstream } from '../support/upstreams/fake-upstream.ts';
import { startGateway } from '../support/gateway.ts';
import { HANG_MS } from '../support/clocks/hang.ts';
import { createDatabase } from '../support/stores/postgres.ts';
import { redisUrl } from '../support/stores/redis.ts';
import { seed, seedAccount, seedKey } from '../support/seed.ts';

/** FRESH_STARTS=200 for a release; FRESH_LEDGERS=redis for one of them. */
const STARTS = Number(process.env['FRESH_STARTS'] ?? 10);
const LEDGERS = (process.env['FRESH_LEDGERS'] ?? 'postgres,redis').split(',');
const CONNECTIONS = 64;
const ACCOUNTS = 10;
const REQUESTS_EACH = 3;
const USD = 1_000_000_000;

let upstream: FakeUpstream;

beforeAll(async () => {
  upstream = await startFakeUpstream();
});
afterAll(() => upstream.close());

/** Keys of accounts that no ledger has opened. */
async function seedKeys({ pool }: Stores): Promise<string[]> {
  const first = await seed(pool, { upstreams: [upstream.url] });
  const keys = [first.key];
  while (keys.length < ACCOUNTS) {
    keys.push((await seedKey(pool, await seedAccount(pool, 100 * USD), first.groupId)).key);
  }
  return keys;
}

async function ask(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'test-model', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  const text = await response.text();
  return response.status === 200 ? '200' : `${response.status} ${text}`;
}

/** Sends a burst of requests, and counts each reply. */
async function burst(url: string, keys: readonly string[]): Promise<Record<string, number>> {
  const replies: Record<string, number> = {};
  const connection = async (index: number): Promise<void> => {
    for (let request = 0; request < REQUESTS_EACH; request += 1) {
      const reply = await ask(url, keys[(index + request) % keys.length] ?? '');
      replies[reply] = (replies[reply] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_none, index) => connection(index)));
  return replies;
}

/** Both ledgers in their first second: replies of one fresh start. Its books are compared. */
async function freshStart(ledger: string): Promise<Record<string, number>> {
  const database = await createDatabase();
  const redis = ledger === 'redis' ? await redisUrl() : null;
  const addresses = { databaseUrl: database.url, ...(redis !== null && { redisUrl: redis }) };
  const end = await tryStores(addresses, async (stores) => {
    const keys = await seedKeys(stores);
    const gateway = await startGateway({ databaseUrl: database.url, redisUrl: redis });
    const replies = await burst(gateway.url, keys);
    await gateway.close();
    await compareBooks(stores, database.url, replies['200'] ?? 0);
    await stores.redis?.flushdb();
    return replies;
  });
  await database.drop();
  if ('refused' in end) throw new Error(end.refused);
  return end.served;
}

/** One record for each reply, also of a start that refused some. */
async function compareBooks(
  { pool, redis }: Stores,
  databaseUrl: string,
  served: number,
): Promise<void> {
  if (redis !== null) {
    const drain = startDrain({ redis, pool, ageMsMin: 0 });
    await untilDrained(redis, drain);
    await drain.stop(0);
  }
  const { rowCount } = await pool.query('select from usage_records');
  expect(rowCount).toBe(served);
  await expectReconciled(pool, redis ?? undefined);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  await client.end();
  expect(rows[0]?.deadlocks).toBe('0');
}

it.each(LEDGERS)(
  'the first second of a fresh start refuses no request, with the ledger in %s',
  { timeout: (STARTS + 1) * HANG_MS },
  async (ledger) => {
    for (let start = 1; start <= STARTS; start += 1) {
      expect(await freshStart(ledger), `start ${start}`).toEqual({
        200: CONNECTIONS * REQUESTS_EACH,
      });
      if (start % 20 === 0) process.stdout.write(`${ledger}: ${start} fresh starts\n`);
    }
  },
);
