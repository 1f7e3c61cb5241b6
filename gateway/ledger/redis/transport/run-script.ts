import { Cluster, Command } from 'ioredis';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import { partitionKey } from '../../partition.ts';
import type { LoadedScript } from './load-script.ts';

/**
 * Runs a script by its digest, and in full when the server does not know it: after a restart, a failover, SCRIPT FLUSH.
 * Answers what the script answers, strings as UTF-8, or in bytes where the script asks for it. Rejects with the server's error.
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

/** The command was sent and its connection ended before the answer: it may have been carried out, or be carried out still. */
export class AnswerLost extends Error {}

/** The client tells by no error whether it had sent a command; a cluster's client may never have, for all its tries. */
class MarkedCommand extends Command {
  sent = false;

  override toWritable(socket: object): string | Buffer {
    this.sent = true;
    return super.toWritable(socket);
  }
}

/**
 * Sends a command. Rejects with the server's error, with AnswerLost, or with the client's when the command was not sent.
 * Made by hand because the client's own methods walk over every argument twice more.
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
 * The keys to name to a script that works on a partition's keys, or on those of all partitions on a single Redis. While a cluster
 * moves a slot, some of its keys are on one node and some on the other, and a script on either would see half a partition: load
 * an account again whose usage is with the rest, or charge what it cannot write down. Two keys of which one never exists are never
 * on the same node then, so Redis refuses the script until the slot has moved (TRYAGAIN), and the client asks again.
 */
export function routeKeys(redis: RedisClient, partition: number): readonly string[] {
  const epoch = partitionKey(partition, 'epoch');
  return isCluster(redis) ? [epoch, partitionKey(partition, 'never')] : [epoch];
}
