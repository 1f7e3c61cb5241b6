import { Redis } from 'ioredis';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { until } from '../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { startRedis, type RedisServer } from '../../support/stores/redis.ts';
import { startWeir, type Weir } from '../../support/weir.ts';

const EMAIL = 'admin@example.com';
const PASSWORD = 'a password for tests only';

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function get(url: string): Promise<Answer> {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function logIn({ adminUrl }: Weir): Promise<Answer & { readonly cookie: string }> {
  const response = await fetch(`${adminUrl}/api/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: adminUrl },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
  };
}

async function metric({ adminUrl }: Weir, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

const untilReady = (url: string, status: number): Promise<Answer> =>
  until(`${status} of ${url}`, async () => {
    const answer = await get(`${url}/ready`);
    return answer.status === status && answer;
  });

/** Leaves an address as a failover does: connections begin again, on a read-only server. */
async function setReadOnly(pool: pg.Pool, isReadOnly: boolean): Promise<void> {
  const client = await pool.connect();
  await client.query('set default_transaction_read_only = off');
  await client.query(`
    do $$ begin
      execute format('alter database %I set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}',
        current_database());
    end $$`);
  await client.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  client.release(true);
}

let database: TestDatabase;
let pool: pg.Pool;
let redis: RedisServer;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 1, applicationName: 'test' });
  redis = await startRedis({ appendonly: true });
  env = {
    DATABASE_URL: database.url,
    GATEWAY_THREADS: '1',
    BOOTSTRAP_ADMIN_EMAIL: EMAIL,
    BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
  };
});
afterAll(async () => {
  await pool.end();
  await redis.stop();
  await database.drop();
});

describe('a gateway without any traffic', () => {
  let weir: Weir;
  let admin: Redis;

  beforeAll(async () => {
    weir = await startWeir({ ...env, REDIS_URL: redis.url });
    admin = new Redis(redis.url);
  });
  afterAll(async () => {
    await weir.end('SIGKILL');
    admin.disconnect();
  });

  it('is not ready while Redis has no memory left for a hold, or has become a replica', async () => {
    await untilReady(weir.url, 200);
    await admin.config('SET', 'maxmemory', '1');
    expect((await untilReady(weir.url, 503)).body).toMatchObject({
      ledger: false,
      postgres: true,
      reasons: [expect.stringMatching(/^The ledger takes no holds/)],
    });
    await admin.config('SET', 'maxmemory', '0');
    await untilReady(weir.url, 200);
    await admin.call('REPLICAOF', '127.0.0.1', '9');
    await untilReady(weir.url, 503);
    await admin.call('REPLICAOF', 'NO', 'ONE');
    await untilReady(weir.url, 200);
    expect(weir.output()).toMatch(/the ledger takes no holds: not ready/);
  });

  it('keeps no key of the probe in Redis', async () => {
    await untilReady(weir.url, 200);
    expect(await admin.keys('*a:*')).toEqual([]);
    expect(await admin.keys('*r:*')).toEqual([]);
  });

  it('says once in the log that a setting of Redis was changed, in metrics and overview as long as it is so', async () => {
    const fault = 'weir_redis_setting_faults{setting="maxmemory-policy",severity="error"}';
    const { cookie } = await logIn(weir);
    const problems = async (): Promise<unknown> => {
      const response = await fetch(`${weir.adminUrl}/api/v1/admin/overview`, {
        headers: { cookie },
      });
      return ((await response.json()) as { problems: unknown }).problems;
    };
    expect(await metric(weir, fault)).toBe(0);
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    // A failover and a restart bring a new connection, with which the settings are read again.
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await until('the fault', async () => (await metric(weir, fault)) === 1);
    await expect.poll(problems).toMatchObject([{ kind: 'redis', severity: 'error' }]);
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await until('no fault', async () => (await metric(weir, fault)) === 0);
    await expect.poll(problems).toEqual([]);
    const lines = weir.output().split('\n');
    expect(
      lines.filter((line) => line.includes('may evict') && line.includes('"level":50')),
    ).toHaveLength(1);
    expect(lines.join('\n')).toMatch(/CONFIG REWRITE/);
    expect(lines.join('\n')).toMatch(/a setting of Redis is correct again/);
  });

  it('is ready, and its console is not, while PostgreSQL takes no changes; who is logged in can read', async () => {
    const { cookie } = await logIn(weir);
    await untilReady(weir.adminUrl, 200);
    await setReadOnly(pool, true);
    expect((await untilReady(weir.adminUrl, 503)).body).toMatchObject({ postgres: false });
    expect(await metric(weir, 'weir_postgres_up')).toBe(0);
    expect(await get(`${weir.url}/ready`)).toMatchObject({
      status: 200,
      body: { ledger: true, postgres: false, reasons: [] },
    });
    const refused = await logIn(weir);
    expect(refused).toMatchObject({ status: 503, body: { code: 'ledger_unavailable' } });
    expect(JSON.stringify(refused.body)).toContain('accepts no changes');
    const headers = { cookie };
    expect((await fetch(`${weir.adminUrl}/api/v1/admin/overview`, { headers })).status).toBe(200);
    await setReadOnly(pool, false);
    await untilReady(weir.adminUrl, 200);
    expect((await logIn(weir)).status).toBe(201);
    expect(weir.output()).toMatch(/PostgreSQL takes no changes/);
  });
});

it('is not ready while PostgreSQL, its ledger, takes no changes, although nobody asks', async () => {
  const own = await createDatabase();
  const ownPool = openPool(own.url, { connectionsMax: 1, applicationName: 'test' });
  const weir = await startWeir({ ...env, DATABASE_URL: own.url });
  await untilReady(weir.url, 200);
  await setReadOnly(ownPool, true);
  expect((await untilReady(weir.url, 503)).body).toMatchObject({ ledger: false });
  await setReadOnly(ownPool, false);
  await untilReady(weir.url, 200);
  expect(await weir.end('SIGTERM')).toBe(0);
  await ownPool.end();
  await own.drop();
});
