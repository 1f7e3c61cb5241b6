import { pino } from 'pino';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClosingStack } from '../../../gateway/boot/closing-stack.ts';
import { openStores } from '../../../gateway/boot/stores/open-stores.ts';
import { ConfigError, loadConfig } from '../../../gateway/platform/config/config.ts';
import { createPostgresLedger } from '../../../gateway/ledger/create-ledger.ts';
import { recordStore } from '../../../gateway/ledger/ledger-store.ts';
import { openBothStores, type BothStores } from '../../support/stores/both-stores.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { redisUrl, startRedis } from '../../support/stores/redis.ts';
import { seed, TEST_SECRET_KEY } from '../../support/seed.ts';
import { fund, holdOf, settleOf, USD } from '../ledger/support/fixtures.ts';

const logger = pino({ level: 'silent' });

let stores: BothStores;
let pool: pg.Pool;

beforeEach(async () => {
  stores = await openBothStores();
  ({ pool } = stores);
  await stores.redis.flushdb();
});
afterEach(() => stores.close());

type Role = 'all' | 'gateway' | 'admin';

/** Runs the start of a process on the stores, and stops it again. */
async function start(
  store: 'redis' | 'postgres',
  role: Role = 'all',
  others: { readonly databaseUrl?: string; readonly redisUrl?: string } = {},
): Promise<void> {
  const closing = new ClosingStack();
  try {
    await openStores({
      config: loadConfig({
        DATABASE_URL: others.databaseUrl ?? stores.databaseUrl,
        SECRET_KEY: TEST_SECRET_KEY,
        ROLE: role,
        ...(store === 'redis' && { REDIS_URL: others.redisUrl ?? (await redisUrl()) }),
      }),
      logger,
      closing,
      onDatabaseDied: () => undefined,
    });
  } finally {
    await closing.close(logger);
  }
}

const WITHOUT = /^REDIS_URL: is not set, and the ledger .* in Redis.*switch-ledger -- postgres$/;
const WITH = /^REDIS_URL: is set, and the ledger .* in PostgreSQL.*switch-ledger -- redis$/;

async function expectRefused(started: Promise<void>, sentence: RegExp): Promise<void> {
  const error: unknown = await started.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).toMatchObject({ message: expect.stringMatching(sentence) as string });
}

describe('a process with another store than that of its database is refused', () => {
  it.each<Role>(['all', 'gateway', 'admin'])(
    'without REDIS_URL after one with it: ROLE=%s',
    async (role) => {
      await start('redis');
      await expectRefused(start('postgres', role), WITHOUT);
      await start('redis', role);
    },
  );

  it('with REDIS_URL after one without, and leaves Redis as it is', async () => {
    await start('postgres');
    await expectRefused(start('redis'), WITH);
    expect(await stores.redis.dbsize()).toBe(0);
    await start('postgres');
  });

  it('when both start for the first time at once', async () => {
    const ended = await Promise.allSettled([start('redis'), start('postgres')]);
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [withRedis] = ended;
    if (withRedis.status === 'fulfilled') await expectRefused(start('postgres'), WITHOUT);
    else await expectRefused(start('redis'), WITH);
  });

  it('a start that is refused for another reason notes nothing', async () => {
    await stores.redis.set('{p00}:book', 'of another database');
    await expectRefused(start('redis'), /^Redis holds the ledger of another database/);
    await start('postgres');
  });
});

describe('a Redis that holds the ledger of another database', () => {
  const SENTENCE = /^Redis holds the ledger of another database.*Set DATABASE_URL to .*FLUSHDB/;
  let other: TestDatabase;

  beforeEach(async () => {
    other = await createEmptyDatabase();
  });
  afterEach(() => other.drop());

  it('is refused, also when both are of the same age, and is left as it is', async () => {
    const elsewhere = await startRedis();
    const { url: databaseUrl } = other;
    await start('redis');
    await expectRefused(start('redis', 'all', { databaseUrl }), SENTENCE);
    await start('redis', 'all', { databaseUrl, redisUrl: elsewhere.url });
    await expectRefused(start('redis', 'all', { databaseUrl }), SENTENCE);
    await start('redis');
    await elsewhere.stop();
  });

  it('is refused when it does not say whose ledger it is, and taken once it is emptied', async () => {
    const { url: databaseUrl } = other;
    await start('redis');
    await stores.redis.del('{p00}:book');
    await stores.redis.set('{p07}:epoch', '1');
    await expectRefused(
      start('redis', 'all', { databaseUrl }),
      /^Redis and the database .* do not belong together: 1 of 64/,
    );
    await stores.redis.flushdb();
    await start('redis', 'all', { databaseUrl });
  });
});

it('a Redis that cannot be reached is refused by the name of its variable', async () => {
  await expectRefused(
    start('redis', 'all', { redisUrl: `redis://127.0.0.1:${await freePort()}` }),
    /^Redis cannot be used \(.*\)\. Check that it runs and that REDIS_URL/,
  );
});

describe('a database from before its store was noted', () => {
  const unnoted = () => pool.query('update settings set ledger_store = null');

  /** The newest bill is of a request from then. */
  const usedKey = async (at: string): Promise<void> => {
    const { keyId } = await seed(pool, { upstreams: [] });
    await pool.query(`update keys set last_used_at = ${at} where id = $1`, [keyId]);
  };

  it('whose Redis has been used does not start without it', async () => {
    await start('redis');
    await pool.query('update ledger_epochs set epoch = 1 where partition = 7');
    await unnoted();
    await expectRefused(start('postgres'), WITHOUT);
  });

  it('on which PostgreSQL holds money, or wrote the newest bill, does not start with Redis', async () => {
    const ledger = createPostgresLedger({ pool });
    const hold = holdOf(await fund(pool, USD));
    await ledger.hold(hold);
    await expectRefused(start('redis'), WITH);
    await ledger.settle(settleOf(hold, USD / 2));
    await expectRefused(start('redis'), WITH);
    await usedKey(`now() - interval '10 s'`);
    await expectRefused(start('redis'), WITH);
    await start('postgres');
  });

  it('that went over to Redis before starts with it: newer bills came from there', async () => {
    const ledger = createPostgresLedger({ pool });
    const hold = holdOf(await fund(pool, USD));
    await ledger.hold(hold);
    await ledger.settle(settleOf(hold, USD / 2));
    await usedKey(`now() + interval '2 minutes'`);
    await start('redis');
    await expectRefused(start('postgres'), WITHOUT);
  });
});

it('PostgreSQL takes no account in where the ledger is in Redis', async () => {
  const payer = await fund(pool, USD);
  await recordStore(pool, 'redis');
  const ledger = createPostgresLedger({ pool });
  expect(await ledger.hold(holdOf(payer))).toMatchObject({
    code: 'ledger_unavailable',
  });
  await recordStore(pool, 'postgres');
  expect(await ledger.hold(holdOf(payer))).toMatchObject({ code: 'held' });
});
