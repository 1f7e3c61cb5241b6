import type pg from 'pg';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import { partitionKey } from '../../partition.ts';
import { emptyingCommand, postgresBehindWatermark } from './postgres-watermark.ts';
import { readEpochs } from './read-epochs.ts';

/**
 * Redis key with the identity of the database that its ledger belongs to, so that no other database
 * uses it. The key is in one partition; if that is lost, the epochs of the others still show the
 * mismatch.
 */
export const OWNER_KEY = partitionKey(0, 'book');

/**
 * When the first migration was applied, to the microsecond. A database keeps it when it is moved or
 * restored.
 */
const DATABASE_NAME = `select to_char(min(applied_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as name from schema_migrations`;

async function databaseName(client: Pick<pg.Pool, 'query'>): Promise<string> {
  const { rows } = await client.query<{ name: string }>(DATABASE_NAME);
  return rows[0]?.name ?? '';
}

/** Records in Redis which database its ledger belongs to, unless it is recorded already. */
export async function claimLedger(redis: RedisClient, client: pg.PoolClient): Promise<void> {
  await redis.set(OWNER_KEY, await databaseName(client), 'NX');
}

/**
 * Returns why the ledger in Redis cannot belong to this database, as a sentence for the operator;
 * undefined when nothing contradicts. Otherwise accounts could not be loaded, and usage of another
 * ledger would be drained into this database. The caller holds the epoch lock. Rejects when a store
 * is unreachable.
 */
export async function foreignLedger(
  redis: RedisClient,
  client: Pick<pg.Pool, 'query'>,
): Promise<string | undefined> {
  const name = await databaseName(client);
  const found = await redis.get(OWNER_KEY);
  if (found !== null && found !== name) {
    return (
      `Redis holds the ledger of another database: of one made at ${found} UTC, and the one at DATABASE_URL was made at ${name} UTC. ` +
      `Set DATABASE_URL to the database that belongs to it, or REDIS_URL to a Redis (or a database number of it) of this one's own. ` +
      `If that ledger is no longer needed, empty it: ${emptyingCommand(redis)}`
    );
  }
  return (await differentEpochs(redis, client)) ?? (await postgresBehindWatermark(redis, client));
}

/**
 * Returns why Redis does not have the whole ledger of this database, as a sentence for the
 * operator; undefined when it has all partitions that were started. Rejects when a store is
 * unreachable.
 */
export async function missingLedger(
  redis: RedisClient,
  client: Pick<pg.Pool, 'query'>,
): Promise<string | undefined> {
  const epochs = await readEpochs(redis, client);
  const missing = epochs.find(({ epoch, inRedis }) => epoch > 0 && inRedis === null);
  if (missing === undefined) return undefined;
  return (
    `Redis does not have the ledger of this database, or not all of it: partition ${missing.partition} is missing. ` +
    'Set REDIS_URL to the Redis that Weir has used.'
  );
}

async function differentEpochs(
  redis: RedisClient,
  client: Pick<pg.Pool, 'query'>,
): Promise<string | undefined> {
  const epochs = await readEpochs(redis, client);
  const different = epochs.filter(
    ({ epoch, inRedis }) => inRedis !== null && inRedis !== String(epoch),
  );
  const [first] = different;
  if (first === undefined) return undefined;
  return (
    `Redis and the database at DATABASE_URL do not belong together: ${different.length} of ${epochs.length} partitions of the ledger are in ` +
    `other epochs (partition ${first.partition}: ${first.inRedis ?? ''} in Redis, ${first.epoch} in PostgreSQL). Either DATABASE_URL or REDIS_URL ` +
    `names the wrong store, or one of them was restored from a backup. If PostgreSQL is right, empty Redis: ${emptyingCommand(redis)}`
  );
}
