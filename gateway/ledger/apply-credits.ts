import type pg from 'pg';
import type { CreditEntry, Ledger } from './ledger.ts';

/** Rows per query. */
const ROWS_MAX = 500;
/**
 * Accounts processed at once: enough to share round trips, few enough to leave connections free.
 */
const ACCOUNTS_TOGETHER = 4;

const CREDITS_ABOVE = `
  select c.entry_id as "entryId", c.account_id as "accountId", c.sequence, c.amount_nano_usd as "amountNanoUsd",
    c.hold_id as "holdId",
    case when u.request_id is not null then jsonb_build_object(
      'keyId', u.key_id, 'spentNanoUsd', u.balance_nano_usd + u.subscription_nano_usd,
      'settledAtMs', to_ms(u.settled_at), 'localSettledAtMs', to_ms(account_local(c.account_id, u.settled_at)),
      'scopes', array_remove(array['account', 'team:' || u.team_id, 'member:' || u.member_id], null),
      'subscriptions', coalesce(u.subscriptions, '[]')) end as usage
  from credits c
  left join usage_records u
    on u.request_id = case when c.kind = 'recovered_usage' then substr(c.entry_id, length('recovered:') + 1)::uuid end
  where c.account_id = $1 and c.sequence > $2 order by c.sequence limit $3`;

/**
 * Applies the credits of an account that the ledger lacks, in order. An account that is not loaded
 * gets them with its load. Idempotent and safe to run in several processes. Returns how many
 * credits were applied.
 *
 * Rejects when Postgres or the ledger cannot be reached; the change feed then calls again.
 */
export async function applyCredits(
  ledger: Ledger,
  pool: pg.Pool,
  accountId: string,
): Promise<number> {
  let applied = 0;
  // An account that is not loaded must be given its newest credit, so that it rejects an older
  // load.
  let above = await lastSequenceBefore(pool, accountId);
  for (;;) {
    const { rows } = await pool.query<CreditEntry>(CREDITS_ABOVE, [accountId, above, ROWS_MAX]);
    if (rows.length === 0) return applied;
    for (const entry of rows) {
      const outcome = await ledger.credit(entry);
      switch (outcome.code) {
        case 'credited':
          applied += 1;
          break;
        case 'exists':
        case 'not_loaded':
          break;
        case 'out_of_order':
          above = outcome.sequence;
          break;
        case 'ledger_unavailable':
          throw new Error(`credits of ${accountId}: ${outcome.cause}`);
      }
      if (outcome.code === 'out_of_order') break;
      above = entry.sequence;
    }
  }
}

/**
 * The newest credit is tried first: usually it is the only one missing, and otherwise the ledger
 * says which one is.
 */
async function lastSequenceBefore(pool: pg.Pool, accountId: string): Promise<number> {
  const { rows } = await pool.query<{ sequence: number }>(
    'select credit_sequence as sequence from accounts where id = $1',
    [accountId],
  );
  return Math.max(0, (rows[0]?.sequence ?? 0) - 1);
}

/**
 * Applies the credits of all accounts that got one in the last `withinMs`. Needed after Redis has
 * lost the end of its log, because the change feed has passed those credits already. Returns how
 * many were applied.
 */
export async function applyRecentCredits(
  ledger: Ledger,
  pool: pg.Pool,
  withinMs: number,
): Promise<number> {
  const { rows } = await pool.query<{ accountId: string }>(
    `select distinct account_id as "accountId" from credits
     where created_at > now() - $1 * interval '1 millisecond'`,
    [withinMs],
  );
  let applied = 0;
  for (let first = 0; first < rows.length; first += ACCOUNTS_TOGETHER) {
    const some = rows.slice(first, first + ACCOUNTS_TOGETHER);
    const counts = await Promise.all(
      some.map(({ accountId }) => applyCredits(ledger, pool, accountId)),
    );
    applied += counts.reduce((sum, count) => sum + count, 0);
  }
  return applied;
}
