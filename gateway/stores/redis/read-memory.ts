import type { RedisClient } from './connect.ts';
import { primariesOf } from './primaries.ts';

/** The memory of a primary, in bytes. */
export interface RedisMemory {
  readonly name: string;
  readonly usedBytes: number;
  /** Null without a bound. */
  readonly maxBytes: number | null;
}

function numberIn(info: string, name: string): number | undefined {
  const value = new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1];
  return value === undefined ? undefined : Number(value);
}

/**
 * The memory of every primary; without those that do not allow INFO, as with some hosted servers.
 */
export async function readRedisMemory(redis: RedisClient): Promise<RedisMemory[]> {
  const read = primariesOf(redis).map(async ({ name, node }): Promise<RedisMemory[]> => {
    const info = await node.info('memory').catch(() => '');
    const usedBytes = numberIn(info, 'used_memory');
    const maxBytes = numberIn(info, 'maxmemory') ?? 0;
    if (usedBytes === undefined) return [];
    return [{ name, usedBytes, maxBytes: maxBytes === 0 ? null : maxBytes }];
  });
  return (await Promise.all(read)).flat();
}
