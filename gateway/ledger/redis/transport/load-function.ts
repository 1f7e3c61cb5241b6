import { createHash } from 'node:crypto';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import type { LoadedScript } from './load-script.ts';
import { isCluster, sendCommand } from './run-script.ts';

/**
 * A Redis function (FUNCTION LOAD, Redis 7). Its name contains its digest, so that several versions
 * of Weir do not collide.
 */
export interface LoadedFunction {
  readonly source: string;
  readonly name: string;
}

/** Makes a library of a script that defines `local function run(KEYS, ARGV)`. */
export function functionOf({ source }: LoadedScript): LoadedFunction {
  const name = `weir_${createHash('sha1').update(libraryOf('', source)).digest('hex')}`;
  return { name, source: libraryOf(name, source) };
}

/**
 * The same function, allowed to run when Redis is out of memory: for calls that write nothing. The
 * flag `no-writes` would also allow it on a replica, which must be noticed
 * (stores/redis/connect.ts).
 */
export function functionWithoutMemory({ name, source }: LoadedFunction): LoadedFunction {
  return { name: `${name}_without_memory`, source };
}

function libraryOf(name: string, source: string): string {
  return `#!lua name=${name}
${source}
redis.register_function('${name}', run)
redis.register_function{function_name='${name}_without_memory', callback=run, flags={'allow-oom'}}
`;
}

/**
 * Calls a function, and loads it first when a server does not know it. Returns its reply, strings
 * as UTF-8. Rejects with the server's error.
 */
export async function callFunction(
  redis: RedisClient,
  { name, source }: LoadedFunction,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  const call = [name, String(keys.length), ...keys, ...args];
  try {
    return await sendCommand(redis, 'fcall', call);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('Function not found')) throw error;
    await loadFunction(redis, source);
    return await sendCommand(redis, 'fcall', call);
  }
}

async function loadFunction(redis: RedisClient, source: string): Promise<void> {
  const nodes = isCluster(redis) ? redis.nodes('master') : [redis];
  await Promise.all(
    nodes.map(async (node) => {
      try {
        await sendCommand(node, 'function', ['LOAD', source]);
      } catch (error) {
        // Another gateway has loaded it meanwhile.
        if (!(error instanceof Error) || !error.message.includes('already exists')) throw error;
      }
    }),
  );
}
