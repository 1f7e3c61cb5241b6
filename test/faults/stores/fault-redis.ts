import { connectRedis, type RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { startRedis, type RedisServer } from '../../support/stores/redis-server.ts';
import { AppendLog } from '../append-log.ts';

/** Redis, and what a fault needs of it. */
export interface FaultRedis {
  readonly server: RedisServer;
  readonly appendLog: AppendLog;
  readonly client: RedisClient;
}

export async function startFaultRedis(): Promise<FaultRedis> {
  const server = await startRedis({
    appendonly: true,
    appendfsync: 'everysec',
    // A rewritten file would have other offsets than those that were noted.
    config: { 'auto-aof-rewrite-percentage': '0' },
  });
  const client = connectRedis(server.url);
  await client.connect();
  return { server, client, appendLog: await AppendLog.watch(client) };
}
