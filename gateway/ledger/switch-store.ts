import type pg from 'pg';
import type { RedisClient } from '../stores/redis/connect.ts';
import { SILENT_LOG } from './ledger-log.ts';
import { type LedgerStore, recordedStore, recordStore } from './ledger-store.ts';
import { partitionKey, PARTITION_NAMES } from './partition.ts';
import { requestsInFlight } from './reconcile/reconcile-redis.ts';
import { emptyPartitions } from './redis/recovery/empty-partitions.ts';
import { underEpochLock } from './redis/recovery/epoch-lock.ts';
import { claimLedger, missingLedger, foreignLedger } from './redis/recovery/ledger-ownership.ts';
import { readEpochs } from './redis/recovery/read-epochs.ts';
import { agreeOnEpochs } from './redis/recovery/restore-epochs.ts';

/** Identifies this command in pg_stat_activity; names of other Weir processes share its prefix. */
export const SWITCH_APPLICATION_NAME = 'weir switch-ledger';

export interface SwitchOptions {
  readonly target: LedgerStore;
  readonly pool: pg.Pool;
  readonly redis: RedisClient;
}

export type SwitchOutcome =
  /** `already`: the ledger is there; nothing was changed. */
  | { readonly code: 'switched' | 'already' }
  /** Nothing was changed. `reason` is a sentence for the operator. */
  | { readonly code: 'refused'; readonly reason: string };

const CONNECTED = `
  select string_agg(distinct application_name, ', ') as names from pg_stat_activity
  where datname = current_database() and application_name like 'weir %' and application_name <> $1`;

const OPEN_REQUESTS = `select count(*)::int as requests from ledger_requests where state = 'open' and expires_at > now()`;

/**
 * One transaction, so that no hold outlives its account. Expired holds are deleted with their
 * accounts. Closed requests stay, so that their repetitions are recognised.
 */
const EMPTY_POSTGRES = `
  truncate ledger_accounts, ledger_keys, ledger_groups, ledger_subscriptions, ledger_scopes;
  delete from ledger_requests where state = 'open'`;

/**
 * Moves the ledger to the other store. No data is copied: everything spent is in Postgres, from
 * which both stores load accounts on demand. So both are emptied, and the new store is recorded
 * last. An interrupted switch leaves the ledger where it was, empty, and can be repeated.
 *
 * Processes that start meanwhile wait. Rejects when a store is unreachable.
 */
export async function switchStore(options: SwitchOptions): Promise<SwitchOutcome> {
  return await underEpochLock(options.pool, (client) => switchUnderLock(options, client));
}

async function switchUnderLock(
  options: SwitchOptions,
  client: pg.PoolClient,
): Promise<SwitchOutcome> {
  const { target, redis } = options;
  const isThere = (await recordedStore(client)) === target;
  const reason = await (isThere ? otherTarget(options, client) : whyNot(options, client));
  if (reason !== undefined) return { code: 'refused', reason };
  if (isThere) return { code: 'already' };
  await client.query(EMPTY_POSTGRES);
  await emptyRedis(redis, client);
  if (target === 'redis') {
    await agreeOnEpochs({ redis, log: SILENT_LOG }, client, [...PARTITION_NAMES.keys()]);
    await claimLedger(redis, client);
  }
  await recordStore(client, target);
  return { code: 'switched' };
}

/**
 * The ledger is in Redis and shall be moved to Redis: the operator may mean another Redis, which
 * this command cannot do.
 */
async function otherTarget(
  { target, redis }: SwitchOptions,
  client: pg.PoolClient,
): Promise<string | undefined> {
  return target === 'redis' ? foreignLedger(redis, client) : undefined;
}

/**
 * Leaves no epochs: while the ledger is not in Redis, nothing starts one
 * (redis/recovery/restore-epochs.ts).
 */
async function emptyRedis(redis: RedisClient, client: pg.PoolClient): Promise<void> {
  const partitions = await readEpochs(redis, client);
  for (const { partition } of partitions) await redis.del(partitionKey(partition, 'epoch'));
  await emptyPartitions(redis, client, partitions);
}

async function whyNot(
  { target, redis }: SwitchOptions,
  client: pg.PoolClient,
): Promise<string | undefined> {
  const { rows: connected } = await client.query<{ names: string | null }>(CONNECTED, [
    SWITCH_APPLICATION_NAME,
  ]);
  const names = connected[0]?.names ?? null;
  if (names !== null) {
    return `Weir is connected to the database (${names}). End every process of it first.`;
  }
  const { rows: open } = await client.query<{ requests: number }>(OPEN_REQUESTS);
  const requests = open[0]?.requests ?? 0;
  if (requests > 0) {
    return `${requests} requests hold money in PostgreSQL, of processes that were killed. Wait until their holds have expired.`;
  }
  return (
    (await foreignLedger(redis, client)) ??
    (target === 'postgres' ? await stillInRedis(redis, client) : undefined)
  );
}

/**
 * Returns the state that only Redis has. In a Redis that is no longer the ledger it does not
 * matter, and its usage is inserted when it is emptied.
 */
async function stillInRedis(
  redis: RedisClient,
  client: pg.PoolClient,
): Promise<string | undefined> {
  const missing = await missingLedger(redis, client);
  if (missing !== undefined) {
    return `${missing} If that one has lost its data, start Weir with REDIS_URL once more, and end it.`;
  }
  for (const partition of PARTITION_NAMES.keys()) {
    if ((await redis.xlen(partitionKey(partition, 'usage'))) > 0) {
      return 'Usage waits in Redis for PostgreSQL. Start Weir with REDIS_URL, and end it once weir_usage_waiting_records is 0.';
    }
  }
  const requests = await requestsInFlight(redis, client);
  if (requests === 0) return undefined;
  return (
    `${requests} requests hold money in Redis, of processes that were killed. Start Weir with REDIS_URL, ` +
    'wait until their holds have expired, and end it.'
  );
}
