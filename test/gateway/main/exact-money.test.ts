import autocannon from 'autocannon';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { startFakeUpstream, type FakeUpstream } from '../../support/fake-upstream.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
import { readFunds } from '../../support/read-funds.ts';
import {
  startRedis,
  startRedisCluster,
  type RedisCluster,
  type RedisServer,
} from '../../support/redis.ts';
import { seed, type Seeded } from '../../support/seed.ts';
import { startWeir, type Weir } from '../../support/weir.ts';
import { expectReconciled } from '../ledger/support/reconcile.ts';

/** For a run with 10,000 everywhere: EXACT_MONEY_REQUESTS=10000. */
const REQUESTS = Number(process.env['EXACT_MONEY_REQUESTS'] ?? '2000');
const AFFORDABLE_SHARE = 0.3;
const CONNECTIONS = 50;
const PROMPT_TOKENS = 8;
const OUTPUT_TOKENS = 5;
/** 8 tokens at 2 USD and 5 at 10 USD per million. */
const COST = PROMPT_TOKENS * 2_000 + OUTPUT_TOKENS * 10_000;
const USAGE = {
  prompt_tokens: PROMPT_TOKENS,
  completion_tokens: OUTPUT_TOKENS,
  total_tokens: PROMPT_TOKENS + OUTPUT_TOKENS,
};

vi.setConfig({ testTimeout: 180_000 });

/** Each with a Redis of its own: one that belongs to another database is refused. */
const cases = [
  { stores: 'one gateway', requests: 10_000, gateways: 1, store: startRedis },
  { stores: 'two gateways', requests: REQUESTS, gateways: 2, store: startRedis },
  {
    stores: 'two gateways on a Redis Cluster',
    requests: REQUESTS,
    gateways: 2,
    store: startRedisCluster,
  },
];

describe.each(cases)('$requests requests at once, $stores', ({ requests, gateways, store }) => {
  const affordable = requests * AFFORDABLE_SHARE;
  let database: TestDatabase;
  let pool: pg.Pool;
  let upstream: FakeUpstream;
  let seeded: Seeded;
  let weirs: Weir[];
  let redis: RedisServer | RedisCluster;
  let client: RedisClient;

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
    upstream = await startFakeUpstream();
    upstream.behave('*', { kind: 'reply', usage: USAGE });
    seeded = await seed(pool, { upstreams: [upstream.url], creditNanoUsd: affordable * COST });
    redis = await store();
    client = connectRedis(redis.url);
    await client.connect();
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      LOG_LEVEL: 'warn',
      GATEWAY_THREADS: gateways === 1 ? '2' : '1',
    };
    weirs = await Promise.all(Array.from({ length: gateways }, () => startWeir(env)));
  });

  afterAll(async () => {
    const codes = await Promise.all(weirs.map((weir) => weir.end('SIGTERM')));
    client.disconnect();
    await Promise.all([upstream.close(), pool.end(), redis.stop()]);
    await database.drop();
    expect(codes).toEqual(weirs.map(() => 0));
  });

  const ask = (weir: Weir) =>
    autocannon({
      url: `${weir.url}/v1/chat/completions`,
      method: 'POST',
      connections: CONNECTIONS / gateways,
      amount: requests / gateways,
      headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
      // The exact prompt and max_tokens make a hold equal to the cost: what fits is then a whole number.
      body: JSON.stringify({
        model: 'test-model',
        max_tokens: OUTPUT_TOKENS,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    });

  /** Answers the lowest balance that was ever seen while the work went on. */
  const lowestDuring = async (work: Promise<unknown>): Promise<number> => {
    let lowest = Infinity;
    const done = work.then(() => true);
    while (!(await Promise.race([done, sleep(5, false)]))) {
      const funds = await readFunds(client, seeded.accountId);
      lowest = Math.min(lowest, funds?.available ?? Infinity);
    }
    return lowest;
  };

  it('as many succeed as the balance affords, the rest are refused, each success leaves one record', async () => {
    const asking = Promise.all(weirs.map(ask));
    const lowest = await lowestDuring(asking);
    const statuses: Record<string, number> = {};
    for (const { statusCodeStats = {} } of await asking) {
      for (const [status, { count = 0 }] of Object.entries(statusCodeStats)) {
        statuses[status] = (statuses[status] ?? 0) + count;
      }
    }
    expect(statuses).toEqual({ '200': affordable, '402': requests - affordable });
    expect(lowest).toBe(0);
    await expect
      .poll(() => readFunds(client, seeded.accountId))
      .toEqual({ available: 0, held: 0, owed: 0, inFlight: 0 });
    const book = async () => {
      const { rows } = await pool.query(
        `select count(*)::int as records, count(distinct request_id)::int as requests,
                coalesce(sum(balance_nano_usd), 0)::bigint as charged
         from usage_records where account_id = $1`,
        [seeded.accountId],
      );
      return rows[0] as unknown;
    };
    await expect
      .poll(book, { timeout: 20_000, interval: 200 })
      .toEqual({ records: affordable, requests: affordable, charged: affordable * COST });
    await expectReconciled(pool, client);
  });
});
