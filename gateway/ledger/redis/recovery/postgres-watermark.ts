import type pg from 'pg';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import { partitionKey } from '../../partition.ts';
import { isCluster } from '../transport/run-script.ts';

/**
 * How far the book had come when a gateway last looked, as the number of its newest change. A book that has come less far
 * since was restored from a backup: it lacks credits that Redis has, and Redis would take the next ones for those.
 */
export const WATERMARK_KEY = partitionKey(0, 'change');

/** Changes are trimmed after a day; how far their numbers have come is known all the same. */
const WATERMARK = `select coalesce((select max(sequence) from changes), (select last_value from changes_sequence_seq)) as sequence`;

/** Several gateways do so side by side: one that is a moment behind may set it back a little, until the next change. */
export async function storeWatermark(redis: RedisClient, sequence: number): Promise<void> {
  await redis.set(WATERMARK_KEY, String(sequence));
}

/** What empties the very store that is in use: a bare FLUSHDB is for this machine, its database 0, and one node. */
export function emptyingCommand(redis: RedisClient): string {
  return isCluster(redis)
    ? 'redis-cli --cluster call HOST:PORT FLUSHDB --cluster-only-masters'
    : 'redis-cli -u "$REDIS_URL" FLUSHDB';
}

/** Why this database cannot be the one that Redis has seen, as a sentence for the operator; undefined when it can. */
export async function postgresBehindWatermark(
  redis: RedisClient,
  client: Pick<pg.Pool, 'query'>,
): Promise<string | undefined> {
  // Redis first: gateways at work note each change soon after it is made, and one that is made in between would be seen here alone.
  const seen = Number((await redis.get(WATERMARK_KEY)) ?? 0);
  const { rows } = await client.query<{ sequence: number }>(WATERMARK);
  const sequence = rows[0]?.sequence ?? 0;
  if (seen <= sequence) return undefined;
  return (
    `PostgreSQL is older than the ledger in Redis: Redis has seen ${seen} changes of it, and it has ${sequence}. It was restored from a backup, or ` +
    `lost its end in a failover. If PostgreSQL is the one to believe, empty Redis, so that accounts are loaded from it anew: ${emptyingCommand(redis)}`
  );
}
