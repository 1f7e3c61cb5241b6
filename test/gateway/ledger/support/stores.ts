import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { createPostgresLedger } from '../../../../gateway/ledger/create-ledger.ts';
import type { Ledger } from '../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { startEmbeddedDatabase } from '../../../../gateway/stores/postgres/embedded/embedded.ts';
import type { RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { openBothStores } from '../../../support/stores/both-stores.ts';
import { layEmbeddedDatabase } from '../../../support/stores/embedded.ts';
import { HANG_MS } from '../../../support/clocks/hang.ts';
import { createDatabase } from '../../../support/stores/postgres.ts';
import { openRedisLedger } from './redis-ledger.ts';
import { testClock } from './test-clock.ts';

/**
 * Time for which a store under test remembers a closed request: a sweep visits all the time that a
 * test skips.
 */
export const MEMORY_MS = 3_600_000;
/** Makes every request old enough for compaction: tests the cold paths of the scripts. */
const ALWAYS_COLD_MS = -200_000;

/** A ledger on real stores, a clock that can be moved, and access to what is behind it. */
export interface Store {
  readonly ledger: Ledger;
  readonly pool: pg.Pool;
  readonly redis: RedisClient | undefined;
  /** Moves the store's clock forward. */
  readonly advance: (ms: number) => void;
  close(): Promise<void>;
}

export const STORE_KINDS = ['redis', 'redis, compacted', 'postgres'] as const;
export type StoreKind = (typeof STORE_KINDS)[number] | 'pglite';

export async function openStore(kind: StoreKind): Promise<Store> {
  testClock.reset();
  switch (kind) {
    case 'redis':
      return redisStore({});
    case 'redis, compacted':
      return redisStore({ hotMs: ALWAYS_COLD_MS });
    case 'postgres':
      return postgresStore();
    case 'pglite':
      return pgliteStore();
  }
}

async function redisStore(options: { hotMs?: number }): Promise<Store> {
  const { pool, redis, close } = await openBothStores();
  // Another store of the same file has left data that belongs to another Postgres.
  await redis.flushdb();
  const ledger = openRedisLedger({
    redis,
    pool,
    closedMemoryMs: MEMORY_MS,
    clockOffsetMs: testClock.offsetMs,
    ...options,
  });
  return {
    ledger,
    pool,
    redis,
    advance: testClock.advance,
    close: async () => {
      await ledger.close();
      await close();
    },
  };
}

async function postgresStore(): Promise<Store> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 8, applicationName: 'test' });
  return { ...overPostgres(pool), close: () => pool.end().then(() => database.drop()) };
}

async function pgliteStore(): Promise<Store> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-ledger-'));
  const fail = (error: Error | string): never => {
    throw new Error('the embedded database failed', { cause: error });
  };
  await layEmbeddedDatabase(dataDir);
  const database = await startEmbeddedDatabase({ dataDir, onFailure: fail, onProblem: fail });
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  return {
    ...overPostgres(pool),
    close: async () => {
      await pool.end();
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function overPostgres(pool: pg.Pool): Omit<Store, 'close'> {
  // Hundreds of concurrent holds wait for a connection, which on a slow machine takes longer than
  // requests may.
  pool.options.connectionTimeoutMillis = HANG_MS;
  return {
    ledger: createPostgresLedger({
      pool,
      closedMemoryMs: MEMORY_MS,
      clockOffsetMs: testClock.offsetMs,
    }),
    pool,
    redis: undefined,
    advance: testClock.advance,
  };
}
