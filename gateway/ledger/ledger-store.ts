import type pg from 'pg';

/**
 * The store that holds the ledger. PostgreSQL records which of the two is in use: two ledgers would
 * spend the same balance twice, and a ledger that was left would come back with its old balances.
 */
export type LedgerStore = 'redis' | 'postgres';

type Client = Pick<pg.Pool, 'query'>;

const NOTED = 'select ledger_store as store from settings';
const NOTE = 'update settings set ledger_store = $1 where ledger_store is distinct from $1';

/** For databases older than the record: only processes with a REDIS_URL start an epoch. */
const REDIS_WAS_USED = 'select exists (select from ledger_epochs where epoch > 0) as used';

/**
 * PostgreSQL was the ledger if it has an open hold, or the newest settled request of all. An
 * installation that moved to Redis long ago also has settled requests there, but newer usage. The
 * minute allows for two clocks that differ.
 */
const POSTGRES_WAS_USED = `
  select exists (select from ledger_requests where state = 'open' and expires_at > now())
    or coalesce((select max(closed_at) + interval '1 minute' from ledger_requests where state = 'settled')
      >= (select coalesce(max(last_used_at), '-infinity') from keys), false) as used`;

const OTHER_STORE: Readonly<Record<LedgerStore, string>> = {
  postgres:
    'REDIS_URL: is not set, and the ledger of this database is in Redis: to go on would spend the same balances twice. ' +
    'Set it to that of the other processes of this database; ROLE=admin needs it, too. ' +
    'To have the ledger in PostgreSQL from now on, end all of them and run, with REDIS_URL set: npm run switch-ledger -- postgres',
  redis:
    'REDIS_URL: is set, and the ledger of this database is in PostgreSQL: to go on would spend the same balances twice. ' +
    'Unset it, as in the other processes of this database. ' +
    'To have the ledger in Redis from now on, end all of them and run, with REDIS_URL set: npm run switch-ledger -- redis',
};

/** The recorded store; null when none is recorded yet. */
export async function recordedStore(client: Client): Promise<LedgerStore | null> {
  const { rows } = await client.query<{ store: LedgerStore | null }>(NOTED);
  return rows[0]?.store ?? null;
}

/** From now on processes with the other store refuse to start. */
export async function recordStore(client: Client, store: LedgerStore): Promise<void> {
  await client.query(NOTE, [store]);
}

/**
 * Returns why a process with this store must not start, as a sentence for the operator; undefined
 * when it may. The caller holds the epoch lock: of two first starts, the second must see what the
 * first has recorded.
 */
export async function storeMismatch(client: Client, own: LedgerStore): Promise<string | undefined> {
  const noted = await recordedStore(client);
  const isOther = noted === null ? await otherWasUsed(client, own) : noted !== own;
  return isOther ? OTHER_STORE[own] : undefined;
}

async function otherWasUsed(client: Client, own: LedgerStore): Promise<boolean> {
  const { rows } = await client.query<{ used: boolean }>(
    own === 'postgres' ? REDIS_WAS_USED : POSTGRES_WAS_USED,
  );
  return rows[0]?.used === true;
}
