import type pg from 'pg';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import { partitionKey, PARTITION_NAMES } from '../../partition.ts';

export interface EpochRow {
  readonly partition: number;
  /** In PostgreSQL: 0 until the partition is used for the first time. */
  readonly epoch: number;
}

export interface EpochInBoth extends EpochRow {
  /** Null when Redis has none: the partition is new, or has lost its data. */
  readonly inRedis: string | null;
}

/**
 * The epochs of these partitions, or of all, in both stores, ordered by partition. Rejects when a
 * store is unreachable.
 */
export async function readEpochs(
  redis: RedisClient,
  client: Pick<pg.Pool, 'query'>,
  partitions: readonly number[] = [...PARTITION_NAMES.keys()],
): Promise<EpochInBoth[]> {
  const { rows } = await client.query<EpochRow>(
    'select partition, epoch from ledger_epochs where partition = any($1) order by partition',
    [partitions],
  );
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      inRedis: await redis.get(partitionKey(row.partition, 'epoch')),
    })),
  );
}
