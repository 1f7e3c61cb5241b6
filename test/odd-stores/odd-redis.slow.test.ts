import { afterAll, beforeAll, it } from 'vitest';
import { createDatabase } from '../support/stores/postgres.ts';
import { startRedis, type RedisServer } from '../support/stores/redis.ts';
import { tryStores } from '../gateway/boot/support/try-stores.ts';
import { expectEnd } from './expect-end.ts';
import { layRedis } from './lay-redis.ts';
import { REDIS_ROWS } from './redis-rows.ts';
import { serveBurst } from './serve-burst.ts';

let shared: RedisServer;

beforeAll(async () => {
  shared = await startRedis();
});
afterAll(() => shared.stop());

const rows = REDIS_ROWS.filter(({ quick }) => quick);

it.each(rows)('Redis serves with exact books, or refuses the start: $what', async (row) => {
  const [database, redis] = [await createDatabase(), await layRedis(shared, row)];
  const addresses = { databaseUrl: database.url, redisUrl: redis.url };
  const end = await tryStores(addresses, serveBurst);
  expectEnd(end, row.refused);
  await redis.end();
  await database.drop();
});
