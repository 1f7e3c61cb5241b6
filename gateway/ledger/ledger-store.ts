import type pg from 'pg';

/**
 * Where the ledger is. The book is in PostgreSQL in any case, and says which of the two it is: a ledger in each of them would
 * spend the same balance twice, and one that was left would be taken up again with the balances of then.
 */
export type LedgerStore = 'redis' | 'postgres';

type Client = Pick<pg.Pool, 'query'>;

const NOTED = 'select ledger_store as store from settings';
const NOTE = 'update settings set ledger_store = $1 where ledger_store is distinct from $1';

/** Of databases from before it was noted. An epoch is begun by who has a REDIS_URL, and by nobody else. */
const REDIS_WAS_USED = 'select exists (select from ledger_epochs where epoch > 0) as used';

/**
 * A request that holds money, or the newest of all bills, was PostgreSQL's: whoever went over to Redis long ago has such requests too, but newer
 * bills than theirs. Times of two clocks are compared, which may differ by a minute.
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

/** The store that the book names; null when none has been noted yet. */
export async function recordedStore(client: Client): Promise<LedgerStore | null> {
  const { rows } = await client.query<{ store: LedgerStore | null }>(NOTED);
  return rows[0]?.store ?? null;
}

/** From now on no process with the other store starts. */
export async function recordStore(client: Client, store: LedgerStore): Promise<void> {
  await client.query(NOTE, [store]);
}

/**
 * Why a process whose ledger is in this store must not start, as a sentence for the operator; undefined when it may. For who has
 * the epoch lock, so that of two first starts the second one sees what the first has noted.
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
