import type pg from 'pg';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import { partitionKey } from '../../partition.ts';
import { isCluster } from '../transport/run-script.ts';

/**
 * Redis key with the sequence of the newest change in Postgres that a gateway has seen. A Postgres
 * below it was restored from a backup: it lacks credits that Redis has applied, and Redis would
 * mistake the next ones for those.
 */
export const WATERMARK_KEY = partitionKey(0, 'change');

/** Changes are deleted after a day; the sequence still shows the highest number. */
const WATERMARK = `select coalesce((select max(sequence) from changes), (select last_value from changes_sequence_seq)) as sequence`;

/**
 * Gateways write it concurrently: one that is slightly behind may lower it until the next change.
 */
export async function storeWatermark(redis: RedisClient, sequence: number): Promise<void> {
  await redis.set(WATERMARK_KEY, String(sequence));
}

/**
 * The command that empties the store in use: a plain FLUSHDB affects one node, this machine and
 * database 0.
 */
export function emptyingCommand(redis: RedisClient): string {
  return isCluster(redis)
    ? 'redis-cli --cluster call HOST:PORT FLUSHDB --cluster-only-masters'
    : 'redis-cli -u "$REDIS_URL" FLUSHDB';
}

/**
 * Returns why this database cannot be the one that Redis has seen, as a sentence for the operator;
 * undefined when it can.
 */
export async function postgresBehindWatermark(
  redis: RedisClient,
  client: Pick<pg.Pool, 'query'>,
): Promise<string | undefined> {
  // Redis first: gateways raise it soon after a change, and a change in between would otherwise
  // count as missing in Postgres.
  const seen = Number((await redis.get(WATERMARK_KEY)) ?? 0);
  const { rows } = await client.query<{ sequence: number }>(WATERMARK);
  const sequence = rows[0]?.sequence ?? 0;
  if (seen <= sequence) return undefined;
  return (
    `PostgreSQL is older than the ledger in Redis: Redis has seen ${seen} changes of it, and it ` +
    `has ${sequence}. It was restored from a backup, or lost its end in a failover. If PostgreSQL ` +
    'is right, empty Redis, so that accounts are loaded from PostgreSQL again: ' +
    emptyingCommand(redis)
  );
}
