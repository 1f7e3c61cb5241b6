import { PARTITION_NAMES, partitionKey } from '../../gateway/ledger/partition.ts';
import { openPool } from '../../gateway/stores/postgres/connect.ts';
import { migrate } from '../../gateway/stores/postgres/migrate.ts';
import { connectRedis, type RedisClient } from '../../gateway/stores/redis/connect.ts';
import { startPostgres } from '../../test/support/stores/postgres-server.ts';
import { startRedis } from '../../test/support/stores/redis-server.ts';
import type { SeededKeys } from '../keys.ts';
import type { ProtocolModel } from '../models.ts';
import { startOwnServer } from '../processes/own-process.ts';
import { postmasterPid } from '../processes/postmaster.ts';
import { recordsBetween } from './records-between.ts';
import { requestLogSize, type RequestLogSize } from './request-log-size.ts';
import { seed } from './seed.ts';

/** The gateway's surroundings: its stores, with everything in them, and the upstream. */
export interface Ground {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly secretKey: string;
  readonly keys: SeededKeys;
  readonly upstreamPort: number;
  /** Processes whose CPU time is shown next to the gateway's. */
  readonly pids: { readonly upstream: number; readonly redis: number; readonly postgres: number };
  /** Scripts that Redis has run since its start: round trips of the ledger. */
  redisScripts(): Promise<number>;
  /** Usage entries that wait in Redis for their way into the book. */
  usageWaiting(): Promise<number>;
  /** Requests in the book that were admitted between two moments, both included. */
  recordsBetween(fromMs: number, toMs: number): Promise<number>;
  requestLogSize(): Promise<RequestLogSize>;
  stop(): Promise<void>;
}

export interface GroundOptions {
  readonly keys: SeededKeys;
  /** An upstream that is there already; a new one is started when absent. */
  readonly upstreamPort?: number;
  readonly models: readonly string[];
  readonly protocolModels: readonly ProtocolModel[];
  /** PostgreSQL waits for its disk at each commit, as in production. */
  readonly fsync: boolean;
}

/** A number that Redis tells about itself in a section of INFO. */
async function redisInfo(client: RedisClient, section: string, name: string): Promise<number> {
  const text = String(await client.call('INFO', section));
  return Number(new RegExp(`^${name}[:=](\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

const SCRIPT_COMMANDS = ['fcall', 'evalsha'];

/**
 * Starts Redis with an append-only file, PostgreSQL and the load upstream, and seeds the database.
 */
export async function layGround(options: GroundOptions): Promise<Ground> {
  const { keys } = options;
  const [redis, postgres, upstream] = await Promise.all([
    startRedis({ appendonly: true, appendfsync: 'everysec' }),
    startPostgres({ fsync: options.fsync }),
    options.upstreamPort === undefined
      ? startOwnServer('load-upstream/load-upstream.ts')
      : { port: options.upstreamPort, pid: process.pid, stop: () => Promise.resolve() },
  ]);
  const redisClient = connectRedis(redis.url);
  await redisClient.connect();
  const pool = openPool(postgres.url, { connectionsMax: 1, applicationName: 'bench' });
  let postgresPid: number;
  try {
    await migrate(pool);
    const { models, protocolModels } = options;
    await seed(pool, { keys, models, protocolModels, upstreamPort: upstream.port });
    postgresPid = await postmasterPid(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    secretKey: keys.secretKey,
    keys,
    upstreamPort: upstream.port,
    pids: {
      upstream: upstream.pid,
      redis: await redisInfo(redisClient, 'server', 'process_id'),
      postgres: postgresPid,
    },
    redisScripts: async () => {
      // The ledger's calls are functions; the drain's are scripts.
      const calls = SCRIPT_COMMANDS.map((command) =>
        redisInfo(redisClient, 'commandstats', `cmdstat_${command}:calls`),
      );
      return (await Promise.all(calls)).reduce((sum, count) => sum + count, 0);
    },
    usageWaiting: async () => {
      const keys = PARTITION_NAMES.map((_, partition) => partitionKey(partition, 'usage'));
      const lengths = await Promise.all(keys.map((key) => redisClient.xlen(key)));
      return lengths.reduce((sum, length) => sum + length, 0);
    },
    recordsBetween: (fromMs, toMs) => recordsBetween(pool, fromMs, toMs),
    requestLogSize: () => requestLogSize(pool),
    stop: async () => {
      redisClient.disconnect();
      await pool.end();
      await Promise.all([redis.stop(), postgres.stop(), upstream.stop()]);
    },
  };
}
