import autocannon from 'autocannon';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { partitionKey, PARTITION_NAMES } from '../../../gateway/ledger/partition.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { migrate } from '../../../gateway/stores/postgres/migrate.ts';
import { connectRedis, type RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { startFakeUpstream, type FakeUpstream } from '../../support/upstreams/fake-upstream.ts';
import { HANG_MS, until } from '../../support/clocks/hang.ts';
import { startPostgres, type PostgresServer } from '../../support/stores/postgres.ts';
import { startRedis, type RedisServer } from '../../support/stores/redis.ts';
import { seed, type Seeded } from '../../support/seed.ts';
import { startWeir, type Weir } from '../../support/weir.ts';
import { expectReconciled } from '../ledger/support/reconcile.ts';

const BACKLOG_MAX = 2_000;
const CONNECTIONS = 10;
/** The limit for a waiting record by docs/operations.md, closed requests' memory included. */
const BYTES_PER_RECORD_MAX = 1_100;

vi.setConfig({ testTimeout: 5 * HANG_MS });

describe('while PostgreSQL is away for long', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let upstream: FakeUpstream;
  let pool: pg.Pool;
  let client: RedisClient;
  let seeded: Seeded;
  let weir: Weir;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: true });
    redis = await startRedis({ appendonly: true });
    upstream = await startFakeUpstream();
    pool = openPool(postgres.url, { connectionsMax: 2, applicationName: 'test' });
    await migrate(pool);
    client = connectRedis(redis.url);
    await client.connect();
    seeded = await seed(pool, { upstreams: [upstream.url], creditNanoUsd: 1_000_000_000_000_000 });
    weir = await startWeir({
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      LOG_LEVEL: 'warn',
      GATEWAY_THREADS: '2',
      LEDGER_TIMEOUT_MS: '30000',
      USAGE_BACKLOG_MAX: String(BACKLOG_MAX),
    });
  });

  afterAll(async () => {
    await weir.end('SIGKILL');
    client.disconnect();
    await pool.end();
    await Promise.all([upstream.close(), redis.stop(), postgres.stop()]);
  });

  const body = (): string =>
    JSON.stringify({ model: 'test-model', messages: [{ role: 'user', content: 'Hello' }] });

  const headers = (): Record<string, string> => ({
    authorization: `Bearer ${seeded.key}`,
    'content-type': 'application/json',
  });

  const ask = () =>
    fetch(`${weir.url}/v1/chat/completions`, { method: 'POST', headers: headers(), body: body() });

  const load = (seconds: number, overallRate: number) =>
    autocannon({
      url: `${weir.url}/v1/chat/completions`,
      method: 'POST',
      connections: CONNECTIONS,
      duration: seconds,
      overallRate,
      timeout: HANG_MS / 1_000,
      headers: headers(),
      body: body(),
    });

  const usedBytes = async (): Promise<number> =>
    Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);

  const records = async (): Promise<number> => {
    const streams = await Promise.all(
      PARTITION_NAMES.map((_name, at) => client.xrange(partitionKey(at, 'usage'), '-', '+')),
    );
    return streams.flat().reduce((sum, [, fields]) => sum + fields.length / 4, 0);
  };

  it('requests are refused before more records wait than may, within their memory, and served again afterwards', async () => {
    expect((await load(1, 100)).non2xx).toBe(0);
    await until('the drain of all usage', async () => (await records()) === 0);
    const before = await usedBytes();
    // A key that a change has made unknown would be looked up in a PostgreSQL that is away.
    expect((await ask()).status).toBe(200);
    await postgres.kill();
    const result = await load(12, 300);
    expect(result['5xx']).toBe(result.non2xx);
    expect(result['5xx']).toBeGreaterThan(CONNECTIONS);
    const refused = await ask();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(await refused.json()).toMatchObject({ error: { code: 'ledger_unavailable' } });
    const waiting = await records();
    expect(waiting).toBeGreaterThan(BACKLOG_MAX / 2);
    expect(waiting).toBeLessThanOrEqual(BACKLOG_MAX);
    expect((await usedBytes()) - before).toBeLessThan(BACKLOG_MAX * BYTES_PER_RECORD_MAX);

    await postgres.restart();
    await until('a reply', async () => (await ask()).status === 200);
    await until('the drain of all usage', async () => (await records()) === 0);
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from usage_records',
    );
    expect(rows[0]?.count).toBeGreaterThanOrEqual(result['2xx']);
    await expectReconciled(pool, client);
  });
});
