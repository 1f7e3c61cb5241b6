import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { connectRedis } from '../../../gateway/stores/redis/connect.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { redisUrl } from '../../support/stores/redis.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { HANG_MS, until } from '../../support/clocks/hang.ts';
import { startGate, type Gate } from '../data-plane/support/gate.ts';
import { startFakeUpstream, type FakeUpstream } from '../../support/upstreams/fake-upstream.ts';
import { seed, type Seeded } from '../../support/seed.ts';
import { startWeir, type Weir } from '../../support/weir.ts';
import { ask, start, untilNoRequestIsTaken } from './support/start.ts';

async function statuses(weir: Weir, key: string): Promise<Set<number>> {
  // Enough connections that each thread gets some.
  const replies = await Promise.all(Array.from({ length: 20 }, () => ask(weir, key)));
  return new Set(replies.map(({ status }) => status));
}

/** Null while nothing listens there. */
async function statusOf(url: string): Promise<number | null> {
  try {
    return (await fetch(url)).status;
  } catch {
    return null;
  }
}

describe('Weir on PostgreSQL and Redis', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let upstream: FakeUpstream;
  let gate: Gate;
  let seeded: Seeded;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
    upstream = await startFakeUpstream();
    gate = await startGate(upstream.url);
    gate.pass();
    seeded = await seed(pool, { upstreams: [gate.url] });
    env = { DATABASE_URL: database.url, REDIS_URL: await redisUrl() };
  });
  afterAll(async () => {
    gate.close();
    await upstream.close();
    await pool.end();
    await database.drop();
  });

  describe('while it runs', () => {
    let weir: Weir;
    /** Statuses of the admin port as soon as the gateway said that it is ready. */
    let atReady: readonly (number | null)[];

    beforeAll(async () => {
      const [port, adminPort] = [await freePort(), await freePort()];
      const starting = startWeir({
        ...env,
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
        GATEWAY_THREADS: '2',
        LEDGER_TIMEOUT_MS: '50000',
        SHUTDOWN_GRACE_MS: String(HANG_MS),
      });
      await until('ready', async () => (await statusOf(`http://127.0.0.1:${port}/ready`)) === 200);
      atReady = await Promise.all(
        ['/health', '/metrics'].map((path) => statusOf(`http://127.0.0.1:${adminPort}${path}`)),
      );
      weir = await starting;
    });
    afterAll(() => weir.end('SIGKILL'));

    it('serves its console and its admin API, too, when it says that it is ready', () => {
      expect(atReady).toEqual([200, 200]);
    });

    it('takes heads of the length that is set', async () => {
      const withHead = (bytes: number): Promise<Response> =>
        fetch(`${weir.url}/health`, { headers: { 'x-token': 't'.repeat(bytes) } });
      expect((await withHead(15_000)).status).toBe(200);
      expect((await withHead(17_000)).status).toBe(431);
    });

    it('stops serving a key that was disabled, on every thread', async () => {
      expect(await statuses(weir, seeded.key)).toEqual(new Set([200]));
      await pool.query(`update keys set status = 'disabled' where id = $1`, [seeded.keyId]);
      await expect.poll(() => statuses(weir, seeded.key)).toEqual(new Set([401]));
      await pool.query(`update keys set status = 'active' where id = $1`, [seeded.keyId]);
      await expect.poll(async () => (await ask(weir, seeded.key)).status).toBe(200);
    });

    it('serves a model that was made while it runs', async () => {
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
      const headers = { authorization: `Bearer ${seeded.key}` };
      await expect
        .poll(async () => (await fetch(`${weir.url}/v1/models/made-later`, { headers })).status)
        .toBe(200);
    });

    it('puts a credit to use', async () => {
      const broke = await seed(pool, { upstreams: [], creditNanoUsd: 1, models: [] });
      await pool.query('update keys set group_id = $2 where id = $1', [
        broke.keyId,
        seeded.groupId,
      ]);
      expect((await ask(weir, broke.key)).status).toBe(402);
      await pool.query(`select add_credit('more', $1, 1000000000, 'top_up', '', 'system')`, [
        broke.accountId,
      ]);
      await expect.poll(async () => (await ask(weir, broke.key)).status).toBe(200);
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

    it('finishes a stream in flight after SIGTERM, takes no new request, and ends with 0', async () => {
      gate.shut();
      const response = ask(weir, seeded.key, true);
      await until('the upstream is asked', () => gate.waiting() === 1);
      const ended = weir.end('SIGTERM');
      await untilNoRequestIsTaken(weir);
      gate.open();
      expect((await (await response).text()).trimEnd().endsWith('data: [DONE]')).toBe(true);
      expect(await ended).toBe(0);
    });
  });

  it('cuts off what does not finish within SHUTDOWN_GRACE_MS, charges what was delivered, and tells so by its exit code', async () => {
    const weir = await start({ ...env, SHUTDOWN_GRACE_MS: '300' });
    const cutOff = async (): Promise<unknown> => {
      const { rows } = await pool.query(
        `select count(*)::int as records, coalesce(min(balance_nano_usd), 0)::bigint > 0 as charged
         from usage_records where status = 'client_disconnected'`,
      );
      return rows[0];
    };
    expect(await cutOff()).toEqual({ records: 0, charged: false });
    upstream.behave('*', { kind: 'reply', end: 'hang', cutAfterEvents: 3 });
    const reader = (await ask(weir, seeded.key, true)).body
      ?.pipeThrough(new TextDecoderStream())
      .getReader();
    let text = '';
    await until('content has come', async () => {
      text += (await reader?.read())?.value ?? '';
      return text.includes('"content":"Hello"');
    });
    const ended = weir.end('SIGTERM');
    await expect(
      (async () => {
        while ((await reader?.read())?.done === false);
      })(),
    ).rejects.toThrow();
    expect(await ended).toBe(4);
    expect(await cutOff()).toEqual({ records: 1, charged: true });
    upstream.behave('*', { kind: 'reply' });
  });
});
