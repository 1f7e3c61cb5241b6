import type pg from 'pg';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import { partitionKey } from '../../partition.ts';
import { underEpochLock } from './epoch-lock.ts';
import { agreeOnEpochs, type RestoreEpochsOptions } from './restore-epochs.ts';

/**
 * How far the book has come with a partition's usage stream: the newest entry that is in it.
 *
 * A Redis that was restarted from a snapshot, or is a replica that had fallen behind, may be older than that, and in the same
 * epoch. What was spent since is in the book and nowhere else: no gateway keeps it any more. To go on would be to let it be
 * spent again. Such a partition begins its next epoch, empty, and is loaded from the book anew.
 *
 * Redis notes the position in the very step that deletes the entries (usage/lua/forget-usage.lua), which comes after Postgres
 * has committed it. So a Redis that has lost nothing of it, wherever anything broke off, either still has the entry itself or
 * has noted a position that is not before it. That holds for one that has lost the end of its log, too: an entry is only entered
 * when it is older than what can be lost so. A Redis that has neither is as it was before the entry was made.
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

/** How far the book has come with each partition that has a position. Rejects when Postgres cannot be asked. */
export async function readEntered(client: Pick<pg.Pool, 'query'>): Promise<EnteredPosition[]> {
  const { rows } = await client.query<EnteredPosition>(ENTERED);
  return rows;
}

/** The partitions whose data in Redis is older than these positions. Rejects when Redis cannot be asked. */
export async function stalePartitions(
  redis: RedisClient,
  positions: readonly EnteredPosition[],
): Promise<number[]> {
  const older = await Promise.all(positions.map((position) => isOlder(redis, position)));
  return positions.filter((_p, index) => older[index]).map(({ partition }) => partition);
}

/** Begins the next epochs of all partitions that are older in Redis than in the book. Rejects when one of the stores cannot be asked. */
export async function startNewEpochs(options: RestoreEpochsOptions): Promise<void> {
  const { redis, pool, log } = options;
  await underEpochLock(pool, async (client) => {
    const partitions = await stalePartitions(redis, await readEntered(client));
    if (partitions.length === 0) return;
    log.error(
      { partitions },
      'Redis is older than it was: usage that is in the book was never made in it. It came back from a snapshot, or a replica that was behind has ' +
        'taken over. These partitions of the ledger are loaded from the book anew; holds that were open in them are lost',
    );
    // Whoever finds them without an epoch goes on from here.
    for (const partition of partitions) await redis.del(partitionKey(partition, 'epoch'));
    await agreeOnEpochs(options, client, partitions);
  });
}

async function isOlder(redis: RedisClient, position: EnteredPosition): Promise<boolean> {
  const { partition, epoch, ms, sequence } = position;
  // Of another epoch, or of none, nothing can be said.
  if ((await redis.get(partitionKey(partition, 'epoch'))) !== String(epoch)) return false;
  const id = `${ms}-${sequence}`;
  if ((await redis.xrange(partitionKey(partition, 'usage'), id, id)).length > 0) return false;
  // Read last: whoever deleted the entry before has noted it.
  return !hasReached((await redis.get(partitionKey(partition, 'entered'))) ?? '', position);
}

/** Whether what Redis has noted, an id of the stream or nothing, is not before the position. */
export function hasReached(noted: string, { ms, sequence }: EnteredPosition): boolean {
  const [notedMs = 0, notedSequence = 0] = noted.split('-').map(Number);
  return notedMs > ms || (notedMs === ms && notedSequence >= sequence);
}
