import type pg from 'pg';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import { partitionKey } from '../../partition.ts';
import { underEpochLock } from './epoch-lock.ts';
import { agreeOnEpochs, type RestoreEpochsOptions } from './restore-epochs.ts';

/**
 * The newest entry of a partition's usage stream that is in Postgres.
 *
 * A Redis that was restarted from a snapshot, or a replica that lagged, may be older than that and
 * in the same epoch. What was spent since is in Postgres only: no gateway retains it. Redis would
 * let it be spent again. Such a partition starts its next epoch, empty, and is loaded from
 * Postgres.
 *
 * Redis records the position in the step that deletes the entries (usage/lua/forget-usage.lua),
 * after Postgres has committed them. So a Redis that has lost nothing has either the entry itself
 * or a position at or after it, wherever a process was interrupted. The same holds for a Redis that
 * has lost the end of its log, because an entry is inserted only when it is older than what can be
 * lost that way. A Redis with neither is in a state from before the entry.
 */
export interface EnteredPosition {
  readonly partition: number;
  readonly epoch: number;
  readonly ms: number;
  readonly sequence: number;
}

const ENTERED = `
  select partition, epoch, entered_ms as ms, entered_sequence as sequence from ledger_epochs
  where entered_ms > 0 order by partition`;

/** The positions of all partitions that have one. Rejects when Postgres is unreachable. */
export async function readEntered(client: Pick<pg.Pool, 'query'>): Promise<EnteredPosition[]> {
  const { rows } = await client.query<EnteredPosition>(ENTERED);
  return rows;
}

/**
 * The partitions whose data in Redis is older than these positions. Rejects when Redis is
 * unreachable.
 */
export async function stalePartitions(
  redis: RedisClient,
  positions: readonly EnteredPosition[],
): Promise<number[]> {
  const stale = await Promise.all(positions.map((position) => isStale(redis, position)));
  return positions.filter((_p, index) => stale[index]).map(({ partition }) => partition);
}

/**
 * Starts the next epochs of all partitions that are older in Redis than in Postgres. Rejects when a
 * store is unreachable.
 */
export async function startNewEpochs(options: RestoreEpochsOptions): Promise<void> {
  const { redis, pool, log } = options;
  await underEpochLock(pool, async (client) => {
    const partitions = await stalePartitions(redis, await readEntered(client));
    if (partitions.length === 0) return;
    log.error(
      { partitions },
      'Redis has lost recent data: it lacks usage that PostgreSQL has. It was restarted from a ' +
        'snapshot, or a lagging replica has taken over. These partitions of the ledger are loaded ' +
        'from PostgreSQL again; their open holds are lost',
    );
    // The next gateway that finds them without an epoch continues from here.
    for (const partition of partitions) await redis.del(partitionKey(partition, 'epoch'));
    await agreeOnEpochs(options, client, partitions);
  });
}

async function isStale(redis: RedisClient, position: EnteredPosition): Promise<boolean> {
  const { partition, epoch, ms, sequence } = position;
  // With another epoch, or none, the position says nothing.
  if ((await redis.get(partitionKey(partition, 'epoch'))) !== String(epoch)) return false;
  const id = `${ms}-${sequence}`;
  if ((await redis.xrange(partitionKey(partition, 'usage'), id, id)).length > 0) return false;
  // Read last: the process that deleted the entry has recorded its position in the same step.
  return !hasReached((await redis.get(partitionKey(partition, 'entered'))) ?? '', position);
}

/** True when the recorded stream id, which may be empty, is at or after the position. */
export function hasReached(noted: string, { ms, sequence }: EnteredPosition): boolean {
  const [notedMs = 0, notedSequence = 0] = noted.split('-').map(Number);
  return notedMs > ms || (notedMs === ms && notedSequence >= sequence);
}
