import type pg from 'pg';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { createDatabase } from './postgres.ts';
import { redisUrl } from './redis.ts';

/** A database of the test file's own, and its Redis. */
export interface BothStores {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly redis: RedisClient;
  readonly close: () => Promise<void>;
}

export async function openBothStores(connectionsMax = 4): Promise<BothStores> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax, applicationName: 'test' });
  const redis = connectRedis(await redisUrl());
  await redis.connect();
  return {
    databaseUrl: database.url,
    pool,
    redis,
    close: async () => {
      redis.disconnect();
      await pool.end();
      await database.drop();
    },
  };
}
