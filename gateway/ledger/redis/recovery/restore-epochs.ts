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
 * Gives partitions of Redis that have no epoch the next one: they are new, or have lost their data. What is left in them goes. From
 * then on accounts are loaded into them from Postgres, and whatever belongs to an earlier epoch is entered
 * into the book as recovered usage (migration 0002).
 *
 * Resolves when Redis and Postgres agree on all of them. Rejects when a partition of Redis is in another epoch
 * than Postgres: one of the two was restored from a backup, and only an operator can say which one is right; and when the ledger
 * is in PostgreSQL.
 */
export async function restoreEpochs(
  options: RestoreEpochsOptions,
  partitions: readonly number[],
): Promise<void> {
  await underEpochLock(options.pool, async (client) => {
    // A process that has missed the switch must not open a second ledger in the Redis that was left.
    if ((await recordedStore(client)) === 'postgres') {
      throw new Error('the ledger has been switched to PostgreSQL');
    }
    await agreeOnEpochs(options, client, partitions);
    await claimLedger(options.redis, client);
  });
}

/** As `restoreEpochs`, for who has the lock already. */
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
    log.warn({ partitions: lost }, 'Redis had lost ledger partitions; they start anew');
  }
}

function otherEpoch(partition: number, inRedis: string, inPostgres: number): Error {
  return new Error(
    `partition ${partition} of Redis is in epoch ${inRedis}, Postgres in ${inPostgres}: one of them was restored ` +
      `from a backup. If Postgres is right, delete the partition's keys (${partitionKey(partition, '*')}) in Redis`,
  );
}
