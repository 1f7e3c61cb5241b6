import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { startFakeUpstream, type FakeUpstream } from '../../support/upstreams/fake-upstream.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { seed, type Seeded } from '../../support/seed.ts';

let database: TestDatabase;
let pool: pg.Pool;
let upstream: FakeUpstream;
let seeded: Seeded;
let gateway: TestGateway;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  upstream = await startFakeUpstream();
  seeded = await seed(pool, { upstreams: [upstream.url] });
  const env = { LOG_LEVEL: 'fatal' };
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null, env });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await upstream.close();
  await pool.end();
  await database.drop();
});

const ask = async (): Promise<number> => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'test-model', messages: [{ role: 'user', content: 'Hi' }] }),
  });
  await response.text();
  return response.status;
};

const ready = async (): Promise<[number, unknown]> => {
  const response = await fetch(`${gateway.url}/ready`);
  return [response.status, await response.json()];
};

it('is not ready while the ledger answers and takes no hold, and ready when it takes one', async () => {
  expect(await ask()).toBe(200);
  expect(await ready()).toMatchObject([200, { status: 'ready', ledger: true }]);
  await pool.query(`
    create function refuse_write() returns trigger language plpgsql as $$
    begin
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
    end $$;
    create trigger refuse_write before insert on ledger_requests execute function refuse_write()`);
  expect(await ask()).toBe(503);
  // One that fails alongside others that succeed says nothing yet.
  expect(await ready()).toMatchObject([200, { ledger: true }]);
  await expect
    .poll(ready)
    .toMatchObject([503, { status: 'not_ready', ledger: false, catalog: true }]);
  await pool.query('drop trigger refuse_write on ledger_requests');
  expect(await ask()).toBe(200);
  expect(await ready()).toMatchObject([200, { ledger: true }]);
});

it('stays ready while PostgreSQL is away, which alone keeps nobody from being served, and tells it', async () => {
  gateway.send({ kind: 'stores', postgresReady: false, notReady: null });
  await expect.poll(ready).toMatchObject([200, { status: 'ready', postgres: false }]);
  gateway.send({ kind: 'stores', postgresReady: true, notReady: null });
  await expect.poll(ready).toMatchObject([200, { status: 'ready', postgres: true }]);
});

it('is ready while holds succeed, although they keep all of its connections to PostgreSQL busy', async () => {
  expect(await ask()).toBe(200);
  const client = await pool.connect();
  await client.query('begin');
  await client.query('lock table ledger_requests');
  const asking = Array.from({ length: 64 }, ask);
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect
    .poll(async () => (await pool.query<{ count: number }>(waiting)).rows[0]?.count)
    .toBeGreaterThan(0);
  const answers = await Promise.all([ready(), ready()]);
  await client.query('rollback');
  client.release();
  expect(answers).toMatchObject([
    [200, { ledger: true }],
    [200, { ledger: true }],
  ]);
  expect(new Set(await Promise.all(asking))).toEqual(new Set([200]));
});
