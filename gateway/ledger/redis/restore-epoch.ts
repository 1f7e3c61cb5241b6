import type pg from 'pg';
import type { LedgerLog } from '../ledger-log.ts';
import { partitionKey } from '../partition.ts';
import type { RedisClient } from './run-script.ts';

/** Advisory locks of partitions are this and the partition's number. */
const EPOCH_LOCK = 7_318_349_394_477_100;

export interface RestoreEpochOptions {
  readonly redis: RedisClient;
  readonly pool: pg.Pool;
  readonly log: LedgerLog;
}

/**
 * Gives a partition of Redis that has no epoch the next one: it is new, or has lost its data. From then
 * on accounts are loaded into it from Postgres, and whatever belongs to an earlier epoch is entered into
 * the book as recovered usage (migration 0002).
 *
 * Resolves when Redis and Postgres agree. Rejects when Redis is in another epoch than Postgres: one of the
 * two was restored from a backup, and only an operator can say which one is right.
 */
export async function restoreEpoch(options: RestoreEpochOptions, partition: number): Promise<void> {
  const client = await options.pool.connect();
  // A connection that breaks between two statements says so by an event, which nobody else listens to now.
  let broken: Error | undefined;
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    // One gateway at a time, and beyond the commit: Redis must never be ahead of Postgres.
    await client.query('select pg_advisory_lock($1)', [EPOCH_LOCK + partition]);
    await agreeOnEpoch(options, client, partition);
    await client.query('select pg_advisory_unlock($1)', [EPOCH_LOCK + partition]);
  } catch (error) {
    // Closing the connection gives the lock back as well.
    broken ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

async function agreeOnEpoch(
  { redis, log }: RestoreEpochOptions,
  client: pg.PoolClient,
  partition: number,
): Promise<void> {
  const key = partitionKey(partition, 'epoch');
  const found = await redis.get(key);
  const epoch = await readEpoch(client, partition);
  if (found === String(epoch)) return;
  if (found !== null) {
    throw new Error(
      `partition ${partition} of Redis is in epoch ${found}, Postgres in ${epoch}: one of them was restored ` +
        `from a backup. If Postgres is right, delete the partition's keys (${partitionKey(partition, '*')}) in Redis`,
    );
  }
  const { rows } = await client.query<{ epoch: number }>(
    'update ledger_epochs set epoch = epoch + 1 where partition = $1 returning epoch',
    [partition],
  );
  const next = rows[0]?.epoch ?? epoch + 1;
  await redis.set(key, String(next));
  if (epoch > 0) {
    log.warn(
      { partition, epoch: next },
      'Redis had lost the data of a ledger partition; it starts anew',
    );
  }
}

async function readEpoch(client: pg.PoolClient, partition: number): Promise<number> {
  const { rows } = await client.query<{ epoch: number }>(
    'select epoch from ledger_epochs where partition = $1',
    [partition],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`ledger_epochs has no partition ${partition}`);
  return row.epoch;
}
