import type pg from 'pg';
import type { Logger } from 'pino';
import { ConfigError, type Config } from '../../platform/config/config.ts';
import { recordStore, storeMismatch } from '../../ledger/ledger-store.ts';
import { openLedger, type OpenLedger } from '../../ledger/open-ledger.ts';
import { underEpochLock } from '../../ledger/redis/recovery/epoch-lock.ts';
import { startNewEpochs } from '../../ledger/redis/recovery/stale-redis.ts';
import { claimLedger, foreignLedger } from '../../ledger/redis/recovery/ledger-ownership.ts';
import { SelfTestFailure } from '../../ledger/self-test/self-test-failure.ts';
import { tryPostgres } from '../../ledger/self-test/try-postgres.ts';
import { tryRedis } from '../../ledger/self-test/try-redis.ts';
import { openPool } from '../../stores/postgres/connect.ts';
import { startEmbeddedDatabase } from '../../stores/postgres/embedded/embedded.ts';
import { checkDatabase } from '../../stores/postgres/check-database.ts';
import { explainRefusal } from '../../stores/postgres/explain-refusal.ts';
import { migrate } from '../../stores/postgres/migrate.ts';
import { CONNECTIONS } from '../../stores/postgres/pool-sizes.ts';
import { leadsToPooler } from '../../stores/postgres/pooler.ts';
import { selectDatabase, wrongDatabaseNumber } from '../../stores/redis/check-database-number.ts';
import {
  explainRefusal as explainRedisRefusal,
  userOf,
} from '../../stores/redis/explain-refusal.ts';
import { connectRedis, type RedisClient } from '../../stores/redis/connect.ts';
import type { ClosingStack } from '../closing-stack.ts';
import { explainConnectError } from './explain-connect-error.ts';
import { workersPerThread } from '../workers-per-thread.ts';

/** Returns the most connections to PostgreSQL that this process opens. */
function connectionsMax(
  config: Pick<Config, 'role' | 'gatewayThreads' | 'workerThreads' | 'redisUrl'>,
): number {
  const ofProcess = CONNECTIONS.main + CONNECTIONS.changeFeed;
  if (config.role === 'admin') return ofProcess;
  const ledger = config.redisUrl === null ? CONNECTIONS.asLedger : CONNECTIONS.besideRedis;
  const ofThread = ledger + workersPerThread(config) * CONNECTIONS.worker;
  return ofProcess + config.gatewayThreads * ofThread;
}

export interface Stores extends OpenLedger {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
}

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
    connectionsMax: CONNECTIONS.main,
    applicationName: 'weir main',
  });
  closing.push('PostgreSQL', () => pool.end());
  await explainConnectError('DATABASE_URL', 'PostgreSQL', () =>
    refusedBecause(async () => void (await pool.query('select 1'))),
  );
  if (await leadsToPooler(pool)) {
    logger.info(
      'DATABASE_URL leads to a connection pooler: locks are held by transactions, and PostgreSQL cancels no slow statement (docs/operations.md)',
    );
  }
  await refuseDatabase(pool, config);
  await refusedBecause(() => migrate(pool));
  await checkLedger(config, pool, logger);
  if (config.databaseUrl !== null) {
    await refusedBecause(() => tryPostgres(pool, config.redisUrl === null));
  }
  const open = await explainConnectError('REDIS_URL', 'Redis', () =>
    openLedger({ config, redisUrl: config.redisUrl, pool, logger }),
  );
  closing.push('ledger', async () => {
    await open.ledger.close();
    open.disconnect();
  });
  return { databaseUrl, pool, ...open };
}

/** Before anything is written. The embedded database is Weir's own. */
async function refuseDatabase(pool: pg.Pool, config: Config): Promise<void> {
  if (config.databaseUrl === null) return;
  const faults = await checkDatabase(pool, connectionsMax(config));
  if (faults.length > 0) throw new ConfigError(faults.map(asLine).join('\n'));
}

const asLine = (fault: string): string => `DATABASE_URL: ${fault}`;

/**
 * Ends the start with advice if a role or a database forbids something; any other failure is a bug.
 */
async function refusedBecause(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const reason = error instanceof SelfTestFailure ? error.message : explainRefusal(error);
    throw reason === undefined ? error : new ConfigError(asLine(reason));
  }
}

/**
 * Before anything else touches the ledger: one is opened by giving it what it lacks. Threads do not
 * ask again.
 */
async function checkLedger(config: Config, pool: pg.Pool, logger: Logger): Promise<void> {
  const { redisUrl } = config;
  if (redisUrl === null) {
    await takeLedger(pool, null);
    return;
  }
  const wrongNumber = wrongDatabaseNumber(redisUrl);
  if (wrongNumber !== undefined) throw new ConfigError(wrongNumber);
  await explainConnectError('REDIS_URL', 'Redis', async () => {
    const redis = connectRedis(redisUrl);
    try {
      await firstConnect(redis);
      await selectDatabase(redis);
      await takeLedger(pool, redis);
      await underEpochLock(pool, () => tryRedis(redis, config.closedRequestMemoryMs));
      await startNewEpochs({ redis, pool, log: logger });
    } catch (error) {
      const reason =
        error instanceof SelfTestFailure
          ? error.message
          : explainRedisRefusal(error, userOf(redisUrl));
      throw reason === undefined ? error : new ConfigError(`REDIS_URL: ${reason}`);
    } finally {
      redis.disconnect();
    }
  });
}

/** Rejects with what Redis replied, of which the client only says that the connection is closed. */
async function firstConnect(redis: RedisClient): Promise<void> {
  let replied: unknown;
  const note = (error: unknown): void => {
    replied ??= error;
  };
  redis.on('error', note);
  try {
    await redis.connect();
  } catch (error) {
    throw replied ?? error;
  } finally {
    redis.off('error', note);
  }
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
