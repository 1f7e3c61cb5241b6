import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/stores/postgres/migrate.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { startFakeUpstream, type FakeUpstream } from '../../support/upstreams/fake-upstream.ts';
import { until } from '../../support/clocks/hang.ts';
import { startPostgres, type PostgresServer } from '../../support/stores/postgres.ts';
import { readFunds } from '../../support/ledger/read-funds.ts';
import { startRedis, type RedisServer } from '../../support/stores/redis.ts';
import { seed, type Seeded } from '../../support/seed.ts';
import { startWeir, type Weir } from '../../support/weir.ts';
import { waitingEntries } from '../ledger/support/drain-all.ts';
import { expectReconciled } from '../ledger/support/reconcile.ts';

const CREDIT = 1_000_000_000_000;
const CLIENTS = 4;
/** Number of replies that shows that requests are served. */
const SOME = 20;

describe('when a store is lost', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let upstream: FakeUpstream;
  let pool: pg.Pool;
  let client: RedisClient;
  let seeded: Seeded;
  let weir: Weir;

  const start = () =>
    startWeir({
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      LOG_LEVEL: 'warn',
      GATEWAY_THREADS: '1',
      LEDGER_TIMEOUT_MS: '30000',
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
    seeded = await seed(pool, { upstreams: [upstream.url], creditNanoUsd: CREDIT });
    weir = await start();
  });

  afterAll(async () => {
    await weir.end('SIGKILL');
    client.disconnect();
    await pool.end();
    await Promise.all([upstream.close(), redis.stop(), postgres.stop()]);
  });

  /** True for a reply that came in full. */
  const ask = async (): Promise<boolean> => {
    const response = await fetch(`${weir.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'test-model',
        stream: true,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    });
    return (await response.text()).endsWith('data: [DONE]\n\n') && response.ok;
  };

  /** Clients that ask without pause until they are stopped. */
  const load = () => {
    const replies = { finished: 0, failed: 0 };
    let stopping = false;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!stopping) {
        if (await ask().catch(() => false)) {
          replies.finished += 1;
        } else {
          replies.failed += 1;
          await sleep(20);
        }
      }
    });
    return {
      replies,
      someMore: async (): Promise<void> => {
        const enough = replies.finished + SOME;
        await until('some more replies', () => replies.finished >= enough);
      },
      stop: async (): Promise<void> => {
        stopping = true;
        await Promise.all(clients);
      },
    };
  };

  const bills = async () => {
    const { rows } = await pool.query<{ records: number; charged: number }>(
      `select count(*)::int as records, coalesce(sum(cost_nano_usd), 0)::bigint as charged
       from usage_records where account_id = $1`,
      [seeded.accountId],
    );
    return rows[0] ?? { records: 0, charged: 0 };
  };

  /**
   * Every reply that was got in full is in the book, Redis has what the book says, and all adds up.
   */
  const expectBooked = async (replies: number): Promise<void> => {
    await until('every record', async () => (await bills()).records >= replies);
    await until('the last request and the drain of all usage', async () => {
      const funds = await readFunds(client, seeded.accountId);
      return funds?.inFlight === 0 && (await waitingEntries(client)) === 0;
    });
    await until('every credit of recovered usage', async () => {
      const { charged } = await bills();
      return (await readFunds(client, seeded.accountId))?.available === CREDIT - charged;
    });
    const funds = await readFunds(client, seeded.accountId);
    expect(funds).toMatchObject({ held: 0, owed: 0, inFlight: 0 });
    await expectReconciled(pool, client);
  };

  it('Redis that has lost everything while no gateway ran is filled from PostgreSQL', async () => {
    const askSome = async (): Promise<void> => {
      const replies = await Promise.all(Array.from({ length: SOME }, ask));
      expect(replies).not.toContain(false);
    };
    await askSome();
    // What is still in Redis at the end of the process is entered into the book before it ends.
    expect(await weir.end('SIGTERM')).toBe(0);
    const { records, charged } = await bills();
    expect(records).toBe(SOME);
    expect(charged).toBeGreaterThan(0);
    await redis.stop();
    await redis.restart();
    await until('the connection', () => client.status === 'ready');
    expect(await client.dbsize()).toBe(0);

    weir = await start();
    await askSome();
    await expectBooked(2 * SOME);
  });

  it('Redis that has lost everything under load costs no bill and gives no money back', async () => {
    const { records } = await bills();
    const asking = load();
    await asking.someMore();
    await redis.kill();
    await redis.restart();
    await asking.someMore();
    await asking.stop();
    await expectBooked(records + asking.replies.finished);
  });

  it('PostgreSQL that is killed and started again under load is not noticed by requests', async () => {
    const { records } = await bills();
    const asking = load();
    await asking.someMore();
    await postgres.kill();
    await asking.someMore();
    await postgres.restart();
    await asking.someMore();
    await asking.stop();
    expect(asking.replies.failed).toBe(0);
    await expectBooked(records + asking.replies.finished);
  });
});
