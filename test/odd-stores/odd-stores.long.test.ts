/**
 * PostgreSQL as companies run it × Redis as they run it × with and without a pooler, on the
 * installed PostgreSQL and on the newest: Weir serves with exact books, or refuses the start with a
 * sentence.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { HANG_MS } from '../support/clocks/hang.ts';
import { startPgBouncer } from '../support/stores/pgbouncer.ts';
import { startPostgres, type PostgresServer } from '../support/stores/postgres.ts';
import { startRedis, startRedisCluster, type RedisServer } from '../support/stores/redis.ts';
import { tryStores } from '../gateway/boot/support/try-stores.ts';
import { expectEnd } from './expect-end.ts';
import { layDatabase } from './lay-database.ts';
import { layRedis } from './lay-redis.ts';
import { startNewestPostgres } from './newest-postgres.ts';
import { POSTGRES_ROWS, type PostgresRow } from './postgres-rows.ts';
import { tryProcess } from './try-process.ts';
import { REDIS_ROWS } from './redis-rows.ts';
import { serveBurst } from './serve-burst.ts';

const INSTALLED_MAJOR = 15;
const NEWEST_MAJOR = 18;
const NOT_FETCHED = 'its package could not be fetched';

let redis: RedisServer;
let servers: Map<number, PostgresServer>;

beforeAll(async () => {
  redis = await startRedis();
  servers = new Map([[INSTALLED_MAJOR, await startPostgres()]]);
  const newest = await startNewestPostgres();
  if (newest !== undefined) servers.set(NEWEST_MAJOR, newest);
}, 5 * HANG_MS);
afterAll(async () => {
  await Promise.all([redis, ...servers.values()].map((server) => server.stop()));
});

const open = (databaseUrl: string) => tryStores({ databaseUrl }, serveBurst);

/** The address behind PgBouncer, and what ends it. */
async function pooled(
  url: string,
  poolMode: 'transaction' | 'statement' | null,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  return poolMode === null
    ? { url, stop: () => Promise.resolve() }
    : await startPgBouncer(url, poolMode);
}

const majors = [INSTALLED_MAJOR, NEWEST_MAJOR];
const poolers = [null, 'transaction'] as const;

describe.each(majors)('PostgreSQL %i', (major) => {
  describe.each(poolers)('with pooler %s', (pooler) => {
    const rows = POSTGRES_ROWS.filter(
      ({ majorMin = 0, directOnly }) => major >= majorMin && !(directOnly && pooler !== null),
    );

    it.concurrent.for(rows)('$what', { timeout: 2 * HANG_MS }, async (row, { skip }) => {
      const server = servers.get(major) ?? skip(NOT_FETCHED);
      const database = await layDatabase(server.url, row, open);
      const address = await pooled(database.url, pooler);
      expectEnd(await open(address.url), refusal(row, pooler !== null));
      await address.stop();
      await database.drop();
    });

    it.for(REDIS_ROWS.filter(({ quick }) => quick))('and Redis: $what', async (row, { skip }) => {
      const server = servers.get(major) ?? skip(NOT_FETCHED);
      const database = await layDatabase(server.url, { what: '' }, open);
      const address = await pooled(database.url, pooler);
      const odd = await layRedis(redis, row);
      const stores = { databaseUrl: address.url, redisUrl: odd.url };
      expectEnd(await tryStores(stores, serveBurst), row.refused);
      await odd.end();
      await address.stop();
      await database.drop();
    });
  });
});

/** Returns the expected refusal of a row. */
function refusal(row: PostgresRow, isPooled: boolean): RegExp | undefined {
  if (!isPooled || row.refusedPooled === undefined) return row.refused;
  return row.refusedPooled ?? undefined;
}

describe('a process', () => {
  const rows = POSTGRES_ROWS.filter(({ quick }) => quick);

  it.each(rows)('serves clients and log-ins, or ends with 1: $what', async (row) => {
    const server = servers.get(NEWEST_MAJOR) ?? servers.get(INSTALLED_MAJOR);
    if (server === undefined) throw new Error('there is no PostgreSQL');
    const database = await layDatabase(server.url, row, open);
    expectEnd(await tryProcess({ DATABASE_URL: database.url }), row.refused);
    await database.drop();
  });

  it.each(REDIS_ROWS.filter(({ quick }) => quick))(
    'serves clients and log-ins, or ends with 1: $what',
    async (row) => {
      const server = servers.get(INSTALLED_MAJOR);
      if (server === undefined) throw new Error('there is no PostgreSQL');
      const database = await layDatabase(server.url, { what: '' }, () => Promise.resolve());
      const odd = await layRedis(redis, row);
      const env = { DATABASE_URL: database.url, REDIS_URL: odd.url };
      expectEnd(await tryProcess(env), row.refused);
      await odd.end();
      await database.drop();
    },
  );
});

it.each(REDIS_ROWS)('Redis by itself: $what', async (row) => {
  const server = servers.get(INSTALLED_MAJOR);
  if (server === undefined) throw new Error('there is no PostgreSQL');
  const database = await layDatabase(server.url, { what: '' }, open);
  const odd = await layRedis(redis, row);
  const end = await tryStores({ databaseUrl: database.url, redisUrl: odd.url }, serveBurst);
  expectEnd(end, row.refused);
  await odd.end();
  await database.drop();
});

it('a cluster serves, and is refused with the number of a database', async () => {
  const server = servers.get(INSTALLED_MAJOR);
  if (server === undefined) throw new Error('there is no PostgreSQL');
  const cluster = await startRedisCluster();
  const database = await layDatabase(server.url, { what: '' }, open);
  const databaseUrl = database.url;
  const wrong = { databaseUrl, redisUrl: cluster.url.replace(',', '/1,') };
  expectEnd(await tryStores(wrong, serveBurst), /a cluster has no database "1", only 0/);
  const [first = ''] = cluster.url.split(',');
  expectEnd(await tryStores({ databaseUrl, redisUrl: first }, serveBurst), /MOVED|CROSSSLOT/);
  expectEnd(await tryStores({ databaseUrl, redisUrl: cluster.url }, serveBurst), undefined);
  await database.drop();
  await cluster.stop();
});

it('a pooler of statements is refused', async () => {
  const server = servers.get(INSTALLED_MAJOR);
  if (server === undefined) throw new Error('there is no PostgreSQL');
  const database = await layDatabase(server.url, { what: '' }, open);
  const address = await pooled(database.url, 'statement');
  expectEnd(await open(address.url), /allows no transactions.*pool_mode = transaction/);
  await address.stop();
  await database.drop();
});

it('a standby is refused', async () => {
  const server = await startPostgres();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ folder: string }>(
    `select current_setting('data_directory') as folder`,
  );
  await client.end();
  await server.stop();
  writeFileSync(join(rows[0]?.folder ?? '', 'standby.signal'), '', { mode: 0o644 });
  await server.restart();
  expectEnd(await open(server.url), /is a standby, which takes no writes.*pg_promote/);
  await server.stop();
});
