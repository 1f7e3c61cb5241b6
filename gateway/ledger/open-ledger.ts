import type pg from 'pg';
import type { Config } from '../platform/config/config.ts';
import { connectRedis, type RedisClient } from '../stores/redis/connect.ts';
import { createPostgresLedger, createRedisLedger } from './create-ledger.ts';
import type { LedgerLog } from './ledger-log.ts';
import type { Ledger } from './ledger.ts';

export interface OpenLedger {
  readonly ledger: Ledger;
  /** The connection of the ledger; null when Postgres is the ledger. */
  readonly redis: RedisClient | null;
  readonly disconnect: () => void;
}

/** Opens the configured ledger: on a Redis connection of its own, or on the pool. */
export async function openLedger(options: {
  readonly config: Pick<Config, 'closedRequestMemoryMs' | 'ledgerTimeoutMs' | 'usageBacklogMax'>;
  readonly redisUrl: string | null;
  readonly pool: pg.Pool;
  readonly logger: LedgerLog;
}): Promise<OpenLedger> {
  const { config, redisUrl, pool, logger } = options;
  const closedMemoryMs = config.closedRequestMemoryMs;
  if (redisUrl === null) {
    const ledger = createPostgresLedger({ pool, closedMemoryMs });
    return { ledger, redis: null, disconnect: () => undefined };
  }
  const redis = connectRedis(redisUrl);
  await redis.connect();
  const ledger = createRedisLedger({
    redis,
    pool,
    closedMemoryMs,
    timeoutMs: config.ledgerTimeoutMs,
    usageBacklogMax: config.usageBacklogMax,
    logger,
  });
  return { ledger, redis, disconnect: () => redis.disconnect() };
}
