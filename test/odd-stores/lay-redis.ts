import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../support/stores/redis.ts';
import type { RedisRow } from './redis-rows.ts';

const PASSWORD = 'of-weir';

/**
 * Redis as a row of the table wants it, on the shared server where it sets nothing in redis.conf.
 * Returns its address and what ends it.
 */
export async function layRedis(
  shared: RedisServer,
  row: RedisRow,
): Promise<{ readonly url: string; readonly end: () => Promise<void> }> {
  const { config, password } = row;
  const isOwn = config !== undefined || password !== undefined;
  const server = isOwn
    ? await startRedis({ ...(config && { config }), ...(password !== undefined && { password }) })
    : shared;
  const admin = new Redis(server.url);
  if (!isOwn) await admin.flushall();
  if (row.rules !== undefined) {
    await admin.call('ACL', 'SETUSER', 'weir', 'reset', 'on', `>${PASSWORD}`, ...row.rules);
  }
  admin.disconnect();
  const credentials = row.credentials ?? (row.rules === undefined ? '' : `weir:${PASSWORD}@`);
  return {
    url: `redis://${credentials}127.0.0.1:${server.port}${row.path ?? ''}`,
    end: async () => {
      if (isOwn) await server.stop();
    },
  };
}
