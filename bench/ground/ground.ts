import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openPool } from '../../gateway/postgres/connect.ts';
import { migrate } from '../../gateway/postgres/migrate.ts';
import { connectRedis } from '../../gateway/redis/connect.ts';
import { startPostgres } from '../../test/support/postgres-server.ts';
import { startRedis } from '../../test/support/redis-server.ts';
import { newKeys, type SeededKeys } from '../keys.ts';
import { startOwnServer } from '../processes/own-process.ts';
import { seed } from './seed.ts';

/** What stands around the gateway: its stores, with everything in them, and the upstream. */
export interface Ground {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly secretKey: string;
  readonly keys: SeededKeys;
  readonly upstreamPort: number;
  /** Processes whose CPU time is shown beside the gateway's. */
  readonly pids: { readonly upstream: number; readonly redis: number; readonly postgres: number };
  stop(): Promise<void>;
}

export interface GroundOptions {
  readonly accounts: number;
  readonly models: readonly string[];
  /** PostgreSQL waits for its disk at each commit, as in production. */
  readonly fsync: boolean;
}

async function redisPid(url: string): Promise<number> {
  const client = connectRedis(url);
  try {
    await client.connect();
    const server = String(await client.call('INFO', 'server'));
    return Number(/process_id:(\d+)/.exec(server)?.[1] ?? 0);
  } finally {
    client.disconnect();
  }
}

/** The postmaster is the parent of every connection's process. */
function parentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
}

/** Starts Redis with an append-only file, PostgreSQL and the load upstream, and seeds the database. */
export async function layGround(options: GroundOptions): Promise<Ground> {
  const keys = newKeys(options.accounts);
  const secretKey = randomBytes(32).toString('hex');
  const [redis, postgres, upstream] = await Promise.all([
    startRedis({ appendonly: true, appendfsync: 'everysec' }),
    startPostgres({ fsync: options.fsync }),
    startOwnServer('load-upstream/load-upstream.ts'),
  ]);
  const pool = openPool(postgres.url, { connectionsMax: 1, applicationName: 'bench' });
  let postgresPid: number;
  try {
    await migrate(pool);
    await seed(pool, { secretKey, keys, models: options.models, upstreamPort: upstream.port });
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    postgresPid = parentOf(rows[0]?.pid ?? 0);
  } finally {
    await pool.end();
  }
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    secretKey,
    keys,
    upstreamPort: upstream.port,
    pids: { upstream: upstream.pid, redis: await redisPid(redis.url), postgres: postgresPid },
    stop: async () => {
      await Promise.all([redis.stop(), postgres.stop(), upstream.stop()]);
    },
  };
}
