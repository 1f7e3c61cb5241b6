import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { migrationNames } from '../../../../gateway/stores/postgres/migrate.ts';
import { connectRedis } from '../../../../gateway/stores/redis/connect.ts';
import {
  createDatabase,
  createEmptyDatabase,
  type TestDatabase,
} from '../../../support/postgres.ts';
import { redisUrl, startRedis } from '../../../support/redis.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/fake-upstream.ts';
import { seed, type Seeded } from '../../../support/seed.ts';
import { startWeir, type Weir } from '../../../support/weir.ts';

// Whole processes, on machines that may be busy with other tests.
vi.setConfig({ testTimeout: 90_000 });

const started: Weir[] = [];

async function start(env: Record<string, string>): Promise<Weir> {
  const weir = await startWeir({ GATEWAY_THREADS: '2', ...env });
  started.push(weir);
  return weir;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((weir) => weir.end('SIGKILL')));
});

function ask(weir: Weir, key: string, stream = false): Promise<Response> {
  return fetch(`${weir.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'test-model',
      stream,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
}

describe('two processes that start together on an empty database', () => {
  it('migrate and fill it once, and both serve', async () => {
    const database = await createEmptyDatabase();
    const pool = openPool(database.url, { connectionsMax: 1, applicationName: 'test' });
    const env = { DATABASE_URL: database.url, GATEWAY_THREADS: '1' };
    const both = await Promise.all([start(env), start(env)]);
    const { rows } = await pool.query(
      `select (select count(*)::int from users) as users, (select count(*)::int from groups) as groups,
              (select count(*)::int from schema_migrations) as migrations`,
    );
    expect(rows).toEqual([{ users: 1, groups: 4, migrations: migrationNames().length }]);
    const keys = both.map((weir) => /API key +(sk-\w+)/.exec(weir.output())?.[1]);
    expect(keys.filter((key) => key !== undefined)).toHaveLength(1);
    const key = keys.find((shown) => shown !== undefined) ?? '';
    for (const weir of both) {
      const response = await fetch(`${weir.url}/v1/models`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(response.status).toBe(200);
    }
    expect(await Promise.all(both.map((weir) => weir.end('SIGTERM')))).toEqual([0, 0]);
    await pool.end();
    await database.drop();
  });
});

describe('Weir on PostgreSQL and Redis', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let upstream: FakeUpstream;
  let seeded: Seeded;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
    upstream = await startFakeUpstream();
    seeded = await seed(pool, { upstreams: [upstream.url] });
    env = { DATABASE_URL: database.url, REDIS_URL: await redisUrl() };
  });
  afterAll(async () => {
    await upstream.close();
    await pool.end();
    await database.drop();
  });

  describe('while it runs', () => {
    let weir: Weir;

    beforeAll(async () => {
      weir = await startWeir({ ...env, GATEWAY_THREADS: '2' });
    });
    afterAll(async () => {
      expect(await weir.end('SIGTERM')).toBe(0);
    });

    it('takes heads of the length that is set', async () => {
      const withHead = (bytes: number): Promise<Response> =>
        fetch(`${weir.url}/health`, { headers: { 'x-token': 't'.repeat(bytes) } });
      expect((await withHead(15_000)).status).toBe(200);
      expect((await withHead(17_000)).status).toBe(431);
    });

    it('stops serving a key within a second of its being disabled, on every thread', async () => {
      // Enough connections that each thread has seen the key.
      const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(weir, seeded.key)));
      expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
      await pool.query(`update keys set status = 'disabled' where id = $1`, [seeded.keyId]);
      await sleep(1_000);
      const after = await Promise.all(Array.from({ length: 20 }, () => ask(weir, seeded.key)));
      expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]));
      await pool.query(`update keys set status = 'active' where id = $1`, [seeded.keyId]);
      await expect.poll(async () => (await ask(weir, seeded.key)).status).toBe(200);
    });

    it('serves a model within a second of its being made', async () => {
      await pool.query(
        `with made as (
           insert into models (id, public_id, display_name, context_tokens_max, output_tokens_max)
           values (gen_random_uuid(), 'made-later', 'Made later', 1000, 100) returning id
         ), priced as (
           insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd, cache_write_nano_usd, output_nano_usd)
           select id, now(), 1, 1, 1, 1 from made
         )
         insert into group_models (group_id, model_id) select $1, id from made`,
        [seeded.groupId],
      );
      await sleep(1_000);
      const response = await fetch(`${weir.url}/v1/models/made-later`, {
        headers: { authorization: `Bearer ${seeded.key}` },
      });
      expect(response.status).toBe(200);
    });

    it('puts a credit to use within a second', async () => {
      const broke = await seed(pool, { upstreams: [], creditNanoUsd: 1, models: [] });
      await pool.query('update keys set group_id = $2 where id = $1', [
        broke.keyId,
        seeded.groupId,
      ]);
      expect((await ask(weir, broke.key)).status).toBe(402);
      await pool.query(`select add_credit('more', $1, 1000000000, 'top_up', '', 'system')`, [
        broke.accountId,
      ]);
      await sleep(1_000);
      expect((await ask(weir, broke.key)).status).toBe(200);
      const redis = connectRedis(await redisUrl());
      await redis.connect();
      expect(Number(await redis.get('{p00}:change')), 'how far the book has come').toBeGreaterThan(
        0,
      );
      redis.disconnect();
    });

    it('writes a line for what is no completion, too', async () => {
      const get = (path: string, key: string): Promise<Response> =>
        fetch(`${weir.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
      await Promise.all([
        get('/v1/models', seeded.key),
        get('/v1/models', 'sk-nobody'),
        get('/v1/nothing', seeded.key),
        get('/v1/chat/completions', seeded.key),
      ]);
      await expect.poll(weir.output).toMatch(/"httpStatus":200,"status":"completed","attempts":0/);
      for (const refused of ['invalid_api_key', 'unknown_url', 'method_not_supported']) {
        await expect.poll(weir.output).toContain(`"refused":"${refused}"`);
      }
    });

    it('counts what it does at /metrics', async () => {
      await (await ask(weir, seeded.key)).text();
      await expect
        .poll(async () => (await fetch(`${weir.adminUrl}/metrics`)).text())
        .toMatch(/^weir_requests_total\{status="200"\} [1-9]/m);
    });
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'finishes a stream in flight after %s, takes no new request, and ends with 0',
    async (signal) => {
      const weir = await start(env);
      upstream.behave('*', { kind: 'reply', pieces: 20, pieceDelayMs: 60 });
      const response = await ask(weir, seeded.key, true);
      const text = response.text();
      const ended = weir.end(signal);
      await sleep(200);
      await expect(fetch(`${weir.url}/health`)).rejects.toThrow();
      expect((await text).trimEnd().endsWith('data: [DONE]')).toBe(true);
      expect(await ended).toBe(0);
      upstream.behave('*', { kind: 'reply' });
    },
  );

  it('goes on for SHUTDOWN_DELAY_MS, and tells load balancers to turn away', async () => {
    const weir = await start({ ...env, SHUTDOWN_DELAY_MS: '2000', SHUTDOWN_GRACE_MS: '20000' });
    expect((await fetch(`${weir.url}/ready`)).status).toBe(200);
    const ended = weir.end('SIGTERM');
    await expect.poll(async () => (await fetch(`${weir.url}/ready`)).status).toBe(503);
    const ready = await fetch(`${weir.url}/ready`);
    expect(await ready.json()).toMatchObject({ error: { code: 'shutting_down' } });
    expect((await fetch(`${weir.url}/health`)).status).toBe(200);
    const reply = await ask(weir, seeded.key);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('connection')).toBe('close');
    await reply.text();
    expect(await ended).toBe(0);
  });

  it('cuts off what does not finish within SHUTDOWN_GRACE_MS, charges what was delivered, and tells so by its exit code', async () => {
    const weir = await start({ ...env, SHUTDOWN_GRACE_MS: '300' });
    const cutOff = async (): Promise<unknown> => {
      const { rows } = await pool.query(
        `select count(*)::int as records, coalesce(min(balance_nano_usd), 0)::bigint > 0 as charged
         from usage_records where status = 'client_gone'`,
      );
      return rows[0];
    };
    expect(await cutOff()).toEqual({ records: 0, charged: false });
    upstream.behave('*', { kind: 'reply', pieces: 100, pieceDelayMs: 100 });
    const response = await ask(weir, seeded.key, true);
    const cut = response.text();
    const startedAtMs = performance.now();
    const ended = weir.end('SIGTERM');
    await expect(cut).rejects.toThrow();
    expect(await ended).toBe(4);
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
    expect(await cutOff()).toEqual({ records: 1, charged: true });
    upstream.behave('*', { kind: 'reply' });
  });

  it('writes bills that Redis does not take until the end to the log, and tells so by its exit code', async () => {
    // A database belongs to one Redis.
    const [own, redis] = await Promise.all([createDatabase(), startRedis()]);
    const ownPool = openPool(own.url, { connectionsMax: 1, applicationName: 'test' });
    const { key } = await seed(ownPool, { upstreams: [upstream.url] });
    const weir = await start({ DATABASE_URL: own.url, REDIS_URL: redis.url });
    upstream.behave('*', { kind: 'reply', pieces: 10, pieceDelayMs: 50 });
    const response = await ask(weir, key, true);
    const requestId = response.headers.get('x-request-id') ?? '';
    const ended = weir.end('SIGTERM');
    await redis.stop();
    expect((await response.text()).trimEnd().endsWith('data: [DONE]')).toBe(true);
    expect(await ended).toBe(8);
    const given = weir
      .output()
      .split('\n')
      .filter((line) => line.includes('this one is given up'));
    expect(given).toHaveLength(1);
    expect(JSON.parse(given[0] ?? '')).toMatchObject({
      requestId,
      record: expect.stringContaining(requestId) as string,
    });
    upstream.behave('*', { kind: 'reply' });
    await ownPool.end();
    await own.drop();
  });

  it('ends at once at a second signal, and takes two in a moment for one', async () => {
    const weir = await start(env);
    upstream.behave('*', { kind: 'reply', pieces: 100, pieceDelayMs: 100 });
    const cut = (await ask(weir, seeded.key, true)).text().catch(() => undefined);
    const ended = weir.end('SIGINT');
    process.kill(weir.pid, 'SIGINT');
    expect(await Promise.race([ended, sleep(700, 'running')])).toBe('running');
    process.kill(weir.pid, 'SIGTERM');
    expect(await ended).toBeNull();
    await cut;
    upstream.behave('*', { kind: 'reply' });
  });

  it('serves requests alone with ROLE=gateway, and the admin API alone with ROLE=admin', async () => {
    const gateway = await start({ ...env, ROLE: 'gateway' });
    expect((await ask(gateway, seeded.key)).status).toBe(200);
    const statusOf = async (path: string): Promise<number> =>
      (await fetch(`${gateway.adminUrl}${path}`)).status;
    expect(await Promise.all(['/', '/api/v1/health', '/health'].map(statusOf))).toEqual([
      404, 404, 200,
    ]);
    await expect
      .poll(async () => (await fetch(`${gateway.adminUrl}/metrics`)).text())
      .toMatch(/^weir_requests_total\{status="200"\} 1$/m);
    const admin = await start({ ...env, ROLE: 'admin' });
    const told = await fetch(`${admin.adminUrl}/metrics`);
    expect(told.status).toBe(200);
    expect(await told.text()).not.toContain('weir_requests');
    await expect(fetch(`${admin.url}/health`)).rejects.toThrow();
    expect(await gateway.end('SIGTERM')).toBe(0);
    expect(await admin.end('SIGTERM')).toBe(0);
  });

  it('says at the start that a newer version has migrated the database, and serves', async () => {
    const newer = await createDatabase();
    const own = openPool(newer.url, { connectionsMax: 1, applicationName: 'test' });
    await own.query(`insert into schema_migrations (name) values ('9999_of_tomorrow.sql')`);
    const weir = await start({ DATABASE_URL: newer.url, GATEWAY_THREADS: '1' });
    expect(weir.output()).toMatch(/"migrations":\["9999_of_tomorrow\.sql"\].*newer version/);
    expect((await fetch(`${weir.url}/ready`)).status).toBe(200);
    expect(await weir.end('SIGTERM')).toBe(0);
    await own.end();
    await newer.drop();
  });

  it('says at the start what is wrong with Redis', async () => {
    const redis = await startRedis({ maxmemoryPolicy: 'allkeys-lru' });
    const weir = await start({ ...env, REDIS_URL: redis.url });
    await expect.poll(weir.output).toMatch(/maxmemory-policy is allkeys-lru\. Set/);
    expect(weir.output()).toContain('appendonly yes');
    expect(await weir.end('SIGTERM')).toBe(0);
    await redis.stop();
  });
});
