import { Cluster, Command, type Redis } from 'ioredis';
import type { LoadedScript } from './load-script.ts';

export type RedisClient = Redis | Cluster;

/**
 * Runs a script by its digest, and in full when the server does not know it: after a restart, a failover, SCRIPT FLUSH.
 * Answers what the script answers, strings as UTF-8. Rejects with the server's error.
 */
export async function callScript(
  redis: RedisClient,
  script: LoadedScript,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...args];
  try {
    return await sendCommand(redis, 'evalsha', [script.sha, ...rest]);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return await sendCommand(redis, 'eval', [script.source, ...rest]);
  }
}

/** Sends a command. Made by hand because the client's own methods walk over every argument twice more. */
export async function sendCommand(
  redis: RedisClient,
  name: string,
  args: string[],
): Promise<unknown> {
  return await redis.sendCommand(new Command(name, args, { replyEncoding: 'utf8' }));
}

export function isCluster(redis: RedisClient): redis is Cluster {
  return redis instanceof Cluster;
}
