import { connectRedis } from '../../../gateway/stores/redis/connect.ts';
import { askFixture } from '../clients/ask-fixture.ts';

export {
  startRedis,
  startRedisCluster,
  type RedisCluster,
  type RedisServer,
} from './redis-server.ts';

let ours: Promise<string> | undefined;

async function emptyDatabase(): Promise<string> {
  const { url, databases } = await askFixture('redis');
  // Files that run at the same time have different pool ids, so each has a database to itself.
  const database = Number(process.env['VITEST_POOL_ID'] ?? '1') - 1;
  if (database >= databases) {
    throw new Error(`REDIS_URL has ${String(databases)} databases, too few for the files at once.`);
  }
  const own = databases === 1 ? url : `${url}/${String(database)}`;
  const client = connectRedis(own);
  try {
    await client.connect();
    await client.flushdb();
  } finally {
    client.disconnect();
  }
  return own;
}

/**
 * The shared Redis, with a database that belongs to this test file alone and is empty at first.
 * Scripts, configuration and the clock are shared: a test that changes those, stops or kills Redis
 * starts its own with `startRedis`.
 */
export function redisUrl(): Promise<string> {
  return (ours ??= emptyDatabase());
}

/**
 * The next test file of this process must not find what this one has left: it has other databases
 * of PostgreSQL.
 */
export function forgetRedisUrl(): void {
  ours = undefined;
}
