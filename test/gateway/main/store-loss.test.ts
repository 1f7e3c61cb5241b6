import autocannon from 'autocannon';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { migrate } from '../../../gateway/stores/postgres/migrate.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { startFakeUpstream, type FakeUpstream } from '../../support/fake-upstream.ts';
import { startPostgres, type PostgresServer } from '../../support/postgres.ts';
import { readFunds } from '../../support/read-funds.ts';
import { startRedis, type RedisServer } from '../../support/redis.ts';
import { seed, type Seeded } from '../../support/seed.ts';
import { startWeir, type Weir } from '../../support/weir.ts';
import { expectReconciled } from '../ledger/support/reconcile.ts';

const CREDIT = 1_000_000_000_000;
const CONNECTIONS = 10;
/** Usage is entered into the book when it is 2.5 s old. */
const BOOKED_WITHIN_MS = 20_000;

// Whole processes, on machines that may be busy with other tests.
vi.setConfig({ testTimeout: 90_000 });

describe('when a store is lost', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let upstream: FakeUpstream;
  let pool: pg.Pool;
  let client: RedisClient;
  let seeded: Seeded;
  let weir: Weir;
  let model: string;

  const start = () =>
    startWeir({
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      LOG_LEVEL: 'warn',
      GATEWAY_THREADS: '1',
      LEDGER_TIMEOUT_MS: '1000',
    });

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: true });
    // Without a file of any kind: whenever this server ends, all it knew is lost.
    redis = await startRedis();
    upstream = await startFakeUpstream();
    upstream.behave('*', { kind: 'reply', pieces: 3, pieceDelayMs: 5 });
    pool = openPool(postgres.url, { connectionsMax: 2, applicationName: 'test' });
    await migrate(pool);
    client = connectRedis(redis.url);
    await client.connect();
  });

  afterAll(async () => {
    client.disconnect();
    await pool.end();
    await Promise.all([upstream.close(), redis.stop(), postgres.stop()]);
  });

  beforeEach(async () => {
    model = `model-${Date.now()}`;
    seeded = await seed(pool, {
      upstreams: [upstream.url],
      creditNanoUsd: CREDIT,
      models: [{ publicId: model }],
    });
    weir = await start();
  });

  afterEach(async () => {
    await weir.end('SIGKILL');
  });

  const ask = (seconds: number) =>
    autocannon({
      url: `${weir.url}/v1/chat/completions`,
      method: 'POST',
      connections: CONNECTIONS,
      duration: seconds,
      headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        stream: true,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    });

  const bills = async () => {
    const { rows } = await pool.query<{ records: number; charged: number }>(
      `select count(*)::int as records, coalesce(sum(cost_nano_usd), 0)::bigint as charged
       from usage_records where account_id = $1`,
      [seeded.accountId],
    );
    return rows[0] ?? { records: 0, charged: 0 };
  };

  /** Every reply that was got in full is in the book, Redis has what the book says, and all adds up. */
  const expectBooked = async (replies: number) => {
    await expect
      .poll(async () => (await bills()).records, { timeout: BOOKED_WITHIN_MS, interval: 100 })
      .toBeGreaterThanOrEqual(replies);
    await expect
      .poll(
        async () => {
          const { charged } = await bills();
          const funds = await readFunds(client, seeded.accountId);
          return { ...funds, available: (funds?.available ?? 0) + charged };
        },
        { timeout: BOOKED_WITHIN_MS, interval: 100 },
      )
      .toEqual({ available: CREDIT, held: 0, owed: 0, inFlight: 0 });
    await expectReconciled(pool, client);
  };

  it('Redis that has lost everything while no gateway ran is filled from PostgreSQL', async () => {
    const before = await ask(1);
    expect(before.non2xx).toBe(0);
    // What is still in Redis at the end of the process is entered into the book before it ends.
    expect(await weir.end('SIGTERM')).toBe(0);
    const { records, charged } = await bills();
    expect(records).toBeGreaterThanOrEqual(before['2xx']);
    await redis.stop();
    await redis.restart();
    await expect.poll(() => client.status).toBe('ready');
    expect(await client.dbsize()).toBe(0);

    weir = await start();
    const after = await ask(1);
    expect(after.non2xx).toBe(0);
    expect((await readFunds(client, seeded.accountId))?.available).toBeLessThan(CREDIT - charged);
    await expectBooked(records + after['2xx']);
  });

  it('Redis that has lost everything under load costs no bill and gives no money back', async () => {
    const asking = ask(5);
    await sleep(1_500);
    await redis.kill();
    await redis.restart();
    const result = await asking;
    expect(result['2xx']).toBeGreaterThan(50);
    await expectBooked(result['2xx']);
  });

  it('PostgreSQL that is killed and started again under load is not noticed by requests', async () => {
    const asking = ask(6);
    await sleep(1_500);
    await postgres.kill();
    await sleep(1_500);
    await expect
      .poll(() => postgres.restart().then(() => true, String), { timeout: 20_000 })
      .toBe(true);
    const result = await asking;
    expect(result.non2xx + result.errors + result.timeouts).toBe(0);
    expect(result['2xx']).toBeGreaterThan(50);
    await expectBooked(result['2xx']);
  });
});
