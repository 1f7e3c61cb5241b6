import { Cluster, Command, type Redis } from 'ioredis';
import type { LoadedScript } from './load-script.ts';

export type RedisClient = Redis | Cluster;

/** Runs a script by its digest, and in full when the server does not know it: after a restart, a failover, SCRIPT FLUSH. */
export async function runScript(
  redis: RedisClient,
  script: LoadedScript,
  key: string,
  args: readonly string[],
): Promise<string> {
  try {
    return await send(redis, 'evalsha', [script.sha, '1', key, ...args]);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return await send(redis, 'eval', [script.source, '1', key, ...args]);
  }
}

// Made by hand because the client's own methods walk over every argument twice more.
async function send(redis: RedisClient, name: string, args: string[]): Promise<string> {
  const reply: unknown = await redis.sendCommand(
    new Command(name, args, { replyEncoding: 'utf8' }),
  );
  if (typeof reply !== 'string') throw new Error(`${name} answered ${typeof reply}, not a string`);
  return reply;
}

export function isCluster(redis: RedisClient): redis is Cluster {
  return redis instanceof Cluster;
}
