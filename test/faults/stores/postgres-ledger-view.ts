import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { reconcilePostgresLedger } from '../../../gateway/ledger/reconcile/reconcile-postgres.ts';
import type { Funds } from '../../support/ledger/read-funds.ts';
import type { LedgerView } from './ledger-view.ts';

const FUNDS = `
  select account_id as id, available_nano_usd as available, held_nano_usd as held, owed_nano_usd as owed,
    in_flight as "inFlight"
  from ledger_accounts where account_id = any($1)`;

/** Neither side forgets during a run: requests are remembered for hours, records for months. */
const UNPAIRED = `
  select coalesce(l.request_id, r.request_id) as id, l.state, r.request_id is not null as recorded
  from (select request_id, state from ledger_requests where state = 'settled') l
  full join usage_records r on r.request_id = l.request_id
  where l.request_id is null or r.request_id is null`;

/** I4 of what \`funds\` does not have. */
const HELD = `
  select 'key ' || key_id as subject, held_nano_usd as held, in_flight as requests
  from ledger_keys where held_nano_usd <> 0 or in_flight <> 0
  union all
  select 'scope ' || account_id || ' ' || scope, held_nano_usd, in_flight from ledger_scopes where held_nano_usd <> 0 or in_flight <> 0
  union all
  select 'subscription ' || subscription_id, held_nano_usd, 0 from ledger_subscriptions where held_nano_usd <> 0`;

const TABLES = [
  'ledger_accounts',
  'ledger_keys',
  'ledger_groups',
  'ledger_requests',
  'ledger_scopes',
  'ledger_subscriptions',
];

export class PostgresLedgerView implements LedgerView {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async funds(accountIds: readonly string[]): Promise<ReadonlyMap<string, Funds>> {
    const { rows } = await this.#pool.query<Funds & { id: string }>(FUNDS, [accountIds]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** A settle inserts its record in its own transaction. */
  waiting(): Promise<number> {
    return Promise.resolve(0);
  }

  async compare(): Promise<readonly string[]> {
    const differences = await reconcilePostgresLedger(this.#pool);
    const { rows: unpaired } = await this.#pool.query<{ id: string; recorded: boolean }>(UNPAIRED);
    const { rows: held } = await this.#pool.query<{
      subject: string;
      held: number;
      requests: number;
    }>(HELD);
    return [
      ...differences.map((difference) => `reconcile: ${JSON.stringify(difference)}`),
      ...unpaired.map(({ id, recorded }) =>
        recorded
          ? `I3: request ${id} has a record and is not settled`
          : `I3: request ${id} is settled and has no record`,
      ),
      ...held.map((row) => `I4: ${row.subject} holds ${row.held} for ${row.requests} requests`),
    ];
  }

  async leaveEvidence(folder: string): Promise<void> {
    const tables: Record<string, unknown[]> = {};
    for (const name of TABLES) {
      tables[name] = (await this.#pool.query(`select * from ${name}`)).rows;
    }
    writeFileSync(join(folder, 'ledger.json'), JSON.stringify(tables, null, 1));
  }

  close(): void {
    // The pool is the fixture's.
  }
}
