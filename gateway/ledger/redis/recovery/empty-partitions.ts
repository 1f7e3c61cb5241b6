import type pg from 'pg';
import { insertUsage } from '../usage/insert-usage.ts';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import { partitionKey } from '../../partition.ts';
import { WATERMARK_KEY } from './postgres-watermark.ts';
import { OWNER_KEY } from './ledger-ownership.ts';
import { isCluster } from '../transport/run-script.ts';
import { usageEntriesOf } from '../commands/usage-entry.ts';

/**
 * A partition of Redis whose epoch key is gone, so that nothing can be loaded into it, and the
 * epoch it had.
 */
export interface EndedPartition {
  readonly partition: number;
  readonly epoch: number;
}

/** Stream entries inserted at a time. */
const ENTRIES_MAX = 100;
const SCANNED_AT_ONCE = 1_000;

/**
 * Deletes the remains of ended partitions, so that their next epochs start empty. Usually there are
 * none, because Redis has lost everything. May be interrupted and repeated.
 *
 * Without its accounts a partition charges no request. What gateways charged before they noticed is
 * then inserted into Postgres. Everything is deleted twice, because a hold may have been made in a
 * part that the first pass had already visited.
 */
export async function emptyPartitions(
  redis: RedisClient,
  client: Pick<pg.Pool, 'query'>,
  ended: readonly EndedPartition[],
): Promise<void> {
  const found = await Promise.all(
    ended.map(({ partition }) => redis.exists(partitionKey(partition, LAST_KEY))),
  );
  const left = ended.filter((_partition, index) => found[index] === 1);
  if (left.length === 0) return;
  const tags = new Set(left.map(({ partition }) => tagOf(partitionKey(partition, ''))));
  const kept = new Set(
    left.flatMap(({ partition }) => STAY.map((name) => partitionKey(partition, name))),
  );
  const deleteAll = () =>
    deleteKeys(redis, (key) => tags.has(tagOf(key)) && !kept.has(key) && !OF_NO_EPOCH.has(key));
  await deleteAll();
  for (const one of left) await insertRest(redis, client, one);
  await deleteAll();
  for (const key of kept) await redis.unlink(key);
}

/**
 * Exists since the partition's first account was loaded (lua/load.lua) and is deleted last: it
 * shows that something may be left.
 */
const LAST_KEY = 'swept';
const STAY = ['usage', LAST_KEY];
/**
 * These describe all partitions: which database they belong to, and its watermark. Without them
 * another database, or an older state of this one, would be accepted.
 */
const OF_NO_EPOCH: ReadonlySet<string> = new Set([OWNER_KEY, WATERMARK_KEY]);

/** "{p07}:" of "{p07}:usage". */
function tagOf(key: string): string {
  return key.slice(0, key.indexOf(':'));
}

async function deleteKeys(redis: RedisClient, goes: (key: string) => boolean): Promise<void> {
  for (const node of isCluster(redis) ? redis.nodes('master') : [redis]) {
    let cursor = '0';
    do {
      const [next, keys] = await node.scan(cursor, 'MATCH', '{p*', 'COUNT', SCANNED_AT_ONCE);
      cursor = next;
      await Promise.all(keys.filter(goes).map((key) => redis.unlink(key)));
    } while (cursor !== '0');
  }
}

async function insertRest(
  redis: RedisClient,
  client: Pick<pg.Pool, 'query'>,
  { partition, epoch }: EndedPartition,
): Promise<void> {
  const stream = partitionKey(partition, 'usage');
  for (;;) {
    const entries = await redis.xrange(stream, '-', '+', 'COUNT', ENTRIES_MAX);
    if (entries.length === 0) return;
    const records = entries.flatMap(([, fields]) => usageEntriesOf(partition, epoch, fields));
    await insertUsage(client, records);
    await redis.xdel(stream, ...entries.map(([id]) => id));
  }
}
