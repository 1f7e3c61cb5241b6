import { connectRedis } from '../../gateway/redis/connect.ts';
import { askGround } from './ask-ground.ts';

export {
  startRedis,
  startRedisCluster,
  type RedisCluster,
  type RedisServer,
} from './redis-server.ts';

/** Test files that run at once, at most; a place has every eighth database. */
const PLACES = 8;

let ours: Promise<string> | undefined;

async function emptyDatabase(): Promise<string> {
  const place = process.env['VITEST_POOL_ID'] ?? '1';
  const { url, databases, turn } = await askGround(`redis/${place}`);
  // Files that run at the same time have different pool ids, so each has a database to itself, and another one than the file
  // before it in its place: what that one had begun in the background may still come to its end, epochs of a ledger above all.
  const turns = Math.max(1, Math.floor(databases / PLACES));
  const database = Number(place) - 1 + PLACES * (turn % turns);
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
