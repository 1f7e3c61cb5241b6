import type pg from 'pg';
import type { Logger } from 'pino';
import { ConfigError, type Config } from '../config/config.ts';
import { recordStore, storeMismatch } from '../../ledger/ledger-store.ts';
import { openLedger, type OpenLedger } from '../../ledger/open-ledger.ts';
import { underEpochLock } from '../../ledger/redis/recovery/epoch-lock.ts';
import { startNewEpochs } from '../../ledger/redis/recovery/stale-redis.ts';
import { claimLedger, foreignLedger } from '../../ledger/redis/recovery/ledger-ownership.ts';
import { openPool } from '../../stores/postgres/connect.ts';
import { startEmbeddedDatabase } from '../../stores/postgres/embedded.ts';
import { migrate } from '../../stores/postgres/migrate.ts';
import { leadsToPooler } from '../../stores/postgres/pooler.ts';
import { connectRedis, type RedisClient } from '../../stores/redis/connect.ts';
import type { ClosingStack } from './closing-stack.ts';
import { explainConnectError } from './explain-connect-error.ts';

export interface Stores extends OpenLedger {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
}

/**
 * For migrations, admin API, catalog, credits and drain together; the change feed has a connection
 * of its own.
 */
const MAIN_CONNECTIONS_MAX = 16;
/** It writes down what it has in memory. */
const EMBEDDED_END_MS_MAX = 20_000;

export interface OpenStoresOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly closing: ClosingStack;
  /** The embedded database has ended: nothing can be served, paid for or written down any more. */
  readonly onDatabaseDied: () => void;
}

/** Opens Postgres, embedded when none is configured, migrates it, and opens the ledger. */
export async function openStores(options: OpenStoresOptions): Promise<Stores> {
  const { config, logger, closing } = options;
  const databaseUrl = config.databaseUrl ?? (await startEmbedded(options));
  const pool = openPool(databaseUrl, {
    connectionsMax: MAIN_CONNECTIONS_MAX,
    applicationName: 'weir main',
  });
  closing.push('PostgreSQL', () => pool.end());
  await explainConnectError('DATABASE_URL', 'PostgreSQL', () => pool.query('select 1'));
  if (await leadsToPooler(pool)) {
    logger.info(
      'DATABASE_URL leads to a connection pooler: locks are held by transactions, and PostgreSQL gives no statement up (docs/operations.md)',
    );
  }
  await migrate(pool);
  await checkLedger(config.redisUrl, pool, logger);
  const open = await explainConnectError('REDIS_URL', 'Redis', () =>
    openLedger({ config, redisUrl: config.redisUrl, pool, logger }),
  );
  closing.push('ledger', async () => {
    await open.ledger.close();
    open.disconnect();
  });
  return { databaseUrl, pool, ...open };
}

/**
 * Before anything else touches the ledger: one is opened by giving it what it lacks. Threads do not
 * ask again.
 */
async function checkLedger(redisUrl: string | null, pool: pg.Pool, logger: Logger): Promise<void> {
  if (redisUrl === null) {
    await takeLedger(pool, null);
    return;
  }
  await explainConnectError('REDIS_URL', 'Redis', async () => {
    const redis = connectRedis(redisUrl);
    try {
      await redis.connect();
      await takeLedger(pool, redis);
      await startNewEpochs({ redis, pool, log: logger });
    } finally {
      redis.disconnect();
    }
  });
}

/**
 * Refuses a ledger that is in the other store or is another database's. A first start then says in
 * both stores whose it is.
 */
async function takeLedger(pool: pg.Pool, redis: RedisClient | null): Promise<void> {
  const own = redis === null ? 'postgres' : 'redis';
  await underEpochLock(pool, async (client) => {
    const reason =
      (await storeMismatch(client, own)) ?? (redis && (await foreignLedger(redis, client)));
    if (typeof reason === 'string') throw new ConfigError(reason);
    if (redis !== null) await claimLedger(redis, client);
    await recordStore(client, own);
  });
}

async function startEmbedded({
  config,
  logger,
  closing,
  onDatabaseDied,
}: OpenStoresOptions): Promise<string> {
  const embedded = await startEmbeddedDatabase({
    dataDir: config.dataDir,
    onFailure: (error) => {
      logger.fatal({ err: error }, 'the embedded database has died');
      onDatabaseDied();
    },
    onProblem: (message) => logger.warn(message),
  });
  closing.push('embedded database', () => embedded.stop(), EMBEDDED_END_MS_MAX);
  return embedded.url;
}
