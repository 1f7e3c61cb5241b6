import type pg from 'pg';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import type { LedgerLog } from '../../ledger-log.ts';
import { recordedStore } from '../../ledger-store.ts';
import { partitionKey } from '../../partition.ts';
import { emptyPartitions } from './empty-partitions.ts';
import { underEpochLock } from './epoch-lock.ts';
import { claimLedger } from './ledger-ownership.ts';
import { type EpochRow, readEpochs } from './read-epochs.ts';

export interface RestoreEpochsOptions {
  readonly redis: RedisClient;
  readonly pool: pg.Pool;
  readonly log: LedgerLog;
}

/**
 * Starts the next epoch of partitions of Redis that have none: they are new, or have lost their
 * data. Their remains are deleted. Then accounts are loaded from Postgres, and usage of earlier
 * epochs is inserted as recovered usage (stores/postgres/functions/usage.sql).
 *
 * Resolves when both stores agree on these partitions. Rejects when one is in another epoch in
 * Redis than in Postgres: one of the stores was restored from a backup, and only an operator knows
 * which is right. Rejects also when the ledger is in PostgreSQL.
 */
export async function restoreEpochs(
  options: RestoreEpochsOptions,
  partitions: readonly number[],
): Promise<void> {
  await underEpochLock(options.pool, async (client) => {
    // A process that has missed the switch must not open a second ledger in Redis.
    if ((await recordedStore(client)) === 'postgres') {
      throw new Error('the ledger has been switched to PostgreSQL');
    }
    await agreeOnEpochs(options, client, partitions);
    await claimLedger(options.redis, client);
  });
}

/** Like `restoreEpochs`, for callers that hold the lock. */
export async function agreeOnEpochs(
  { redis, log }: Pick<RestoreEpochsOptions, 'redis' | 'log'>,
  client: pg.PoolClient,
  partitions: readonly number[],
): Promise<void> {
  const epochs = await readEpochs(redis, client, partitions);
  const missing = epochs.filter(({ inRedis }) => inRedis === null);
  for (const { partition, epoch, inRedis } of epochs) {
    if (inRedis !== null && inRedis !== String(epoch)) throw otherEpoch(partition, inRedis, epoch);
  }
  if (missing.length === 0) return;
  await emptyPartitions(redis, client, missing);
  const { rows: begun } = await client.query<EpochRow>(
    'update ledger_epochs set epoch = epoch + 1 where partition = any($1) returning partition, epoch',
    [missing.map(({ partition }) => partition)],
  );
  await Promise.all(
    begun.map(({ partition, epoch }) => redis.set(partitionKey(partition, 'epoch'), String(epoch))),
  );
  const lost = begun.filter(({ epoch }) => epoch > 1).map(({ partition }) => partition);
  if (lost.length > 0) {
    log.warn(
      { partitions: lost },
      'Redis had lost ledger partitions; they are loaded from PostgreSQL again',
    );
  }
}

function otherEpoch(partition: number, inRedis: string, inPostgres: number): Error {
  return new Error(
    `partition ${partition} of Redis is in epoch ${inRedis}, Postgres in ${inPostgres}: one of them was restored ` +
      `from a backup. If Postgres is right, delete the partition's keys (${partitionKey(partition, '*')}) in Redis`,
  );
}
