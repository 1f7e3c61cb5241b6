import type { RedisClient } from './connect.ts';

/**
 * Returns why the database number of a REDIS_URL cannot be used, before anything connects;
 * undefined when it may exist.
 */
export function wrongDatabaseNumber(url: string): string | undefined {
  const addresses = url.split(',').map((address) => address.trim());
  const [first = ''] = addresses;
  // The path of a socket's address is the socket.
  if (first.startsWith('/') || !first.includes('://')) return undefined;
  const number = new URL(first).pathname.slice(1);
  if (addresses.length > 1) {
    return Number(number) === 0
      ? undefined
      : `REDIS_URL: a cluster has no database "${number}", only 0. Leave the number out.`;
  }
  return /^\d*$/.test(number)
    ? undefined
    : `REDIS_URL: "${number}" is not the number of a database.`;
}

/**
 * Rejects with the reply of Redis to a number that it does not have. The client itself goes on in
 * database 0, where another installation's ledger may be.
 */
export async function selectDatabase(redis: RedisClient): Promise<void> {
  const { db = 0 } = 'db' in redis.options ? redis.options : {};
  if (db > 0 && 'select' in redis) await redis.select(db);
}
