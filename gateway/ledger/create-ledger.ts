import type pg from 'pg';
import type { Ledger } from './ledger.ts';
import { PostgresLedger } from './postgres/postgres-ledger.ts';
import { RedisLedger, type RedisLedgerOptions } from './redis/redis-ledger.ts';

const DAY_MS = 86_400_000;

/** The ledger in Redis, loaded from Postgres. The caller owns the connections. */
export function createRedisLedger(options: RedisLedgerOptions): RedisLedger {
  return new RedisLedger(options);
}

/** The ledger in PostgreSQL. The caller owns the pool. */
export function createPostgresLedger(options: {
  readonly pool: pg.Pool;
  readonly closedMemoryMs?: number;
  readonly clockOffsetMs?: () => number;
}): Ledger {
  return new PostgresLedger({ closedMemoryMs: DAY_MS, ...options });
}
