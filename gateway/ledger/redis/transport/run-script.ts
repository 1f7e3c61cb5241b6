import { Cluster, Command } from 'ioredis';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import { partitionKey } from '../../partition.ts';
import type { LoadedScript } from './load-script.ts';

/**
 * Runs a script by its digest, or in full when the server does not know it (restart, failover,
 * SCRIPT FLUSH). Returns its reply, strings as UTF-8 or as bytes if the script asks for them.
 * Rejects with the server's error.
 */
export async function callScript(
  redis: RedisClient,
  script: LoadedScript,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  const { replyEncoding } = script;
  const rest = [String(keys.length), ...keys, ...args];
  try {
    return await sendCommand(redis, 'evalsha', [script.sha, ...rest], replyEncoding);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return await sendCommand(redis, 'eval', [script.source, ...rest], replyEncoding);
  }
}

/**
 * The connection ended after the command was sent and before its reply: it may have been executed,
 * or still be.
 */
export class AnswerLost extends Error {}

/**
 * The client's errors do not show whether a command was sent. A cluster client may retry without
 * ever sending it.
 */
class MarkedCommand extends Command {
  sent = false;

  override toWritable(socket: object): string | Buffer {
    this.sent = true;
    return super.toWritable(socket);
  }
}

/**
 * Sends a command. Rejects with the server's error, with AnswerLost, or with the client's error
 * when the command was not sent. Built by hand, because the client's own methods walk over every
 * argument twice more.
 */
export async function sendCommand(
  redis: RedisClient,
  name: string,
  args: string[],
  replyEncoding: LoadedScript['replyEncoding'] = 'utf8',
): Promise<unknown> {
  const command = new MarkedCommand(name, args, {
    replyEncoding: replyEncoding === 'utf8' ? 'utf8' : null,
  });
  try {
    return await redis.sendCommand(command);
  } catch (error) {
    if (!command.sent || !(error instanceof Error) || error.name === 'ReplyError') throw error;
    throw new AnswerLost(error.message, { cause: error });
  }
}

export function isCluster(redis: RedisClient): redis is Cluster {
  return redis instanceof Cluster;
}

/**
 * Keys that route a script which uses keys of a partition, or of all partitions on a single Redis.
 * During a slot migration some keys of a partition are on one node and some on the other; a script
 * that saw half of it could load an account again whose usage is on the other node. With two keys
 * of which one never exists, Redis refuses the script until the migration is done (TRYAGAIN), and
 * the client retries.
 */
export function routeKeys(redis: RedisClient, partition: number): readonly string[] {
  const epoch = partitionKey(partition, 'epoch');
  return isCluster(redis) ? [epoch, partitionKey(partition, 'never')] : [epoch];
}
