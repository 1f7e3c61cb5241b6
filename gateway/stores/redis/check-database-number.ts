import { Redis } from 'ioredis';
import type { RedisClient } from './connect.ts';

/**
 * Returns why the database number of REDIS_URL cannot be used; undefined when it can. The client
 * goes on in database 0 when the number is refused, where another installation's ledger may be.
 * Rejects with the reply of Redis to a number that it does not have.
 */
export async function checkDatabaseNumber(
  url: string,
  redis: RedisClient,
): Promise<string | undefined> {
  const paths = url
    .split(',')
    .filter((address) => address.includes('://'))
    .map((address) => new URL(address.trim()).pathname.replace(/^\//, ''));
  const [path = ''] = paths;
  if (!(redis instanceof Redis)) {
    const other = paths.find((one) => one !== '' && one !== '0');
    return other === undefined
      ? undefined
      : `REDIS_URL: a cluster has no database "${other}", only 0. Leave the number out.`;
  }
  // The path of a socket's address is the socket.
  if (url.startsWith('/') || url.includes('redis+unix:')) return undefined;
  if (!/^\d*$/.test(path)) return `REDIS_URL: "${path}" is not the number of a database.`;
  if (Number(path) > 0) await redis.select(Number(path));
  return undefined;
}
