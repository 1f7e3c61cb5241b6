import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { leadsToPooler } from '../../../../gateway/stores/postgres/pooler.ts';
import { underLock, underLockIfFree } from '../../../../gateway/stores/postgres/under-lock.ts';
import { startPgBouncer, type PgBouncer } from '../../../support/stores/pgbouncer.ts';
import {
  createDatabase,
  createEmptyDatabase,
  type TestDatabase,
} from '../../../support/stores/postgres.ts';
import { startWeir } from '../../../support/weir.ts';

const LOCK = 4_711;
const LOCKS = `
  select count(*)::integer as held from pg_locks l join pg_database d on d.oid = l.database
  where l.locktype = 'advisory' and d.datname = current_database()`;
const OPTIONS = { connectionsMax: 4, applicationName: 'test', statementTimeoutMs: 7_000 };

let database: TestDatabase;
let direct: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  direct = openPool(database.url, OPTIONS);
});
afterAll(async () => {
  await direct.end();
  await database.drop();
});

async function locksHeld(): Promise<number | undefined> {
  return (await direct.query<{ held: number }>(LOCKS)).rows[0]?.held;
}

async function timeoutOf(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ timeout: string }>(
    `select current_setting('statement_timeout') as timeout`,
  );
  return rows[0]?.timeout;
}

it('a connection to PostgreSQL itself gives statements up in time', async () => {
  expect(await leadsToPooler(direct)).toBe(false);
  expect(await timeoutOf(direct)).toBe('7s');
});

describe.each(['session', 'transaction'] as const)('PgBouncer with pool_mode=%s', (poolMode) => {
  let bouncer: PgBouncer;
  let one: pg.Pool;
  let other: pg.Pool;

  beforeAll(async () => {
    bouncer = await startPgBouncer(database.url, poolMode);
    one = openPool(bouncer.url, OPTIONS);
    other = openPool(bouncer.url, OPTIONS);
  });
  afterAll(async () => {
    await Promise.all([one.end(), other.end()]);
    await bouncer.stop();
  });

  it('is recognised, and nothing is set that the next client would find', async () => {
    expect(await leadsToPooler(one)).toBe(true);
    expect(await timeoutOf(one)).toBe('0');
  });

  it('lets one process at a time do a job, and none of them keeps the lock', async () => {
    for (let round = 0; round < 5; round += 1) {
      let second: boolean | undefined;
      const first = await underLockIfFree(one, LOCK, async () => {
        await one.query('select 1');
        second = await underLockIfFree(other, LOCK, () => Promise.resolve());
      });
      expect([first, second]).toEqual([true, false]);
    }
    expect(await underLockIfFree(other, LOCK, () => Promise.resolve())).toBe(true);
    const failing = underLockIfFree(one, LOCK, () => Promise.reject(new Error('a job failed')));
    await expect(failing).rejects.toThrow('a job failed');
    await expect.poll(locksHeld).toBe(0);
  });

  it('lets those who want the same wait for each other, however many they are', async () => {
    let inside = 0;
    let most = 0;
    const act = async (client: pg.PoolClient): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await client.query('select pg_sleep(0.01)');
      inside -= 1;
    };
    const pools = Array.from({ length: 12 }, (_none, index) => (index % 2 === 0 ? one : other));
    await Promise.all(pools.map((pool) => underLock(pool, LOCK, act)));
    expect(most).toBe(1);
    await expect.poll(locksHeld).toBe(0);
  });
});

// Sessions are the easier case: a session's statements meet no others there.
it('PgBouncer with pool_mode=transaction serves Weir from the first migration on, which says what it has found', async () => {
  const empty = await createEmptyDatabase();
  const toEmpty = await startPgBouncer(empty.url, 'transaction');
  const weir = await startWeir({ DATABASE_URL: toEmpty.url, GATEWAY_THREADS: '1' });
  expect((await fetch(`${weir.url}/ready`)).status).toBe(200);
  expect((await fetch(`${weir.url}/v1/models`)).status).toBe(401);
  expect(weir.output()).toContain('DATABASE_URL leads to a connection pooler');
  expect(await weir.end('SIGTERM')).toBe(0);
  await toEmpty.stop();
  await empty.drop();
});
