import autocannon from 'autocannon';
import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { HANG_MS, until } from '../../../support/clocks/hang.ts';
import { readFunds } from '../../../support/ledger/read-funds.ts';
import type { RedisCluster, RedisServer } from '../../../support/stores/redis.ts';
import { seed, type Seeded } from '../../../support/seed.ts';
import { startWeir, type Weir } from '../../../support/weir.ts';
import { expectReconciled } from '../../ledger/support/reconcile.ts';

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

export interface ExactMoneyCase {
  readonly stores: string;
  readonly requests: number;
  readonly gateways: number;
  /** A Redis of its own: one that belongs to another database is refused. */
  readonly store: () => Promise<RedisServer | RedisCluster>;
}

/**
 * Defines the tests of one case: whole gateways, and more requests at once than the balance
 * affords.
 */
export function describeExactMoney(name: string, cases: readonly ExactMoneyCase[]): void {
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
        LEDGER_TIMEOUT_MS: '30000',
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
        timeout: HANG_MS / 1_000,
        headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
        // The exact prompt and max_tokens make a hold equal to the cost: what fits is then a whole
        // number.
        body: JSON.stringify({
          model: 'test-model',
          max_tokens: OUTPUT_TOKENS,
          messages: [{ role: 'user', content: 'Hello' }],
        }),
      });

    /** Returns the lowest balance that was ever seen until the work was done. */
    const lowestDuring = async (work: Promise<unknown>): Promise<number> => {
      let lowest = Infinity;
      const done = work.then(() => true);
      while (!(await Promise.race([done, turn(false)]))) {
        const funds = await readFunds(client, seeded.accountId);
        lowest = Math.min(lowest, funds?.available ?? Infinity);
      }
      return lowest;
    };

    it(name, async () => {
      const asking = Promise.all(weirs.map(ask));
      const lowest = await lowestDuring(asking);
      const statuses: Record<string, number> = {};
      for (const { statusCodeStats = {} } of await asking) {
        for (const [status, { count = 0 }] of Object.entries(statusCodeStats)) {
          statuses[status] = (statuses[status] ?? 0) + count;
        }
      }
      expect(statuses).toEqual({ '200': affordable, '402': requests - affordable });
      expect(lowest).toBeGreaterThanOrEqual(0);
      await until('the last settle', async () => {
        const funds = await readFunds(client, seeded.accountId);
        return funds?.inFlight === 0;
      });
      expect(await readFunds(client, seeded.accountId)).toEqual({
        available: 0,
        held: 0,
        owed: 0,
        inFlight: 0,
      });
      const book = async () => {
        const { rows } = await pool.query<{ records: number; requests: number; charged: number }>(
          `select count(*)::int as records, count(distinct request_id)::int as requests,
                coalesce(sum(balance_nano_usd), 0)::bigint as charged
         from usage_records where account_id = $1`,
          [seeded.accountId],
        );
        return rows[0];
      };
      await until('every record', async () => ((await book())?.records ?? 0) >= affordable);
      expect(await book()).toEqual({
        records: affordable,
        requests: affordable,
        charged: affordable * COST,
      });
      await expectReconciled(pool, client);
    });
  });
}
