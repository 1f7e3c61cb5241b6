import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { Auditor } from './auditor.ts';

interface AccountRow {
  readonly id: string;
  readonly balance: number;
  readonly records: number;
  readonly subscription: number;
  readonly uncollected: number;
}

interface BillRow {
  readonly id: string;
  readonly cost: number;
  readonly estimated: boolean;
  readonly capped: boolean;
  readonly counts: Omit<TokenCounts, 'extra'> & { readonly extra: TokenCounts['extra'] | null };
}

interface CounterRow {
  readonly owner: string;
  readonly period: string;
  readonly startMs: number;
  readonly amount: number;
}

const ACCOUNTS = `
  select a.id, a.balance_nano_usd as balance, count(u.request_id) as records,
    coalesce(sum(u.subscription_nano_usd), 0)::bigint as subscription,
    coalesce(sum(u.uncollected_nano_usd), 0)::bigint as uncollected
  from accounts a left join usage_records u on u.account_id = a.id group by a.id`;

const BILLS = `
  select request_id as id, cost_nano_usd as cost, estimated, capped,
    jsonb_build_object('input', input_tokens, 'cachedInput', cached_input_tokens, 'cacheWrite', cache_write_tokens,
      'output', output_tokens, 'reasoning', reasoning_tokens, 'extra', extra_meters) as counts
  from usage_records where model <> 'simulated'`;

const KEYS = `
  select key_id as owner, period, to_ms(period_start) as "startMs", spent_nano_usd as amount from key_spend`;

const SCOPES = `
  select account_id || ' ' || scope as owner, period, to_ms(period_start) as "startMs", spent_nano_usd as amount from scope_spend`;

const WINDOWS = `
  select subscription_id as owner, allowance_window as period, to_ms(period_start) as "startMs", used_nano_usd as amount
  from subscription_windows`;

/** Compares the book with what the auditor has added up, row by row. Answers what differs. */
export async function compareBook(pool: pg.Pool, auditor: Auditor): Promise<string[]> {
  const accounts = await pool.query<AccountRow>(ACCOUNTS);
  const keys = await pool.query<CounterRow>(KEYS);
  const scopes = await pool.query<CounterRow>(SCOPES);
  const windows = await pool.query<CounterRow>(WINDOWS);
  const bills = await pool.query<BillRow>(BILLS);
  const models = [...auditor.accounts.values()];
  return [
    ...compareAccounts(accounts.rows, auditor),
    ...compareBills(bills.rows, auditor),
    ...compareCounters(
      'spent',
      keys.rows,
      models.flatMap((model) => [...model.keys].map(([id, { spent }]) => [id, spent] as const)),
    ),
    ...compareCounters(
      'I5: spent',
      scopes.rows,
      [...auditor.accounts].flatMap(([accountId, model]) =>
        [...model.scopes]
          .filter(([name]) => name !== 'account' || model.isBudgeted)
          .map(([name, { spent }]) => [`${accountId} ${name}`, spent] as const),
      ),
    ),
    ...compareCounters(
      'used',
      windows.rows,
      models.flatMap((model) =>
        [...model.subscriptions].map(([id, { used }]) => [id, used] as const),
      ),
    ),
  ];
}

function compareAccounts(rows: readonly AccountRow[], auditor: Auditor): string[] {
  return rows.flatMap(({ id, ...found }) => {
    const model = auditor.account(id);
    const expected = {
      balance: Number(model.credited - model.settled),
      records: model.totals.records,
      subscription: Number(model.totals.subscription),
      uncollected: Number(model.totals.uncollected),
    };
    return JSON.stringify(found) === JSON.stringify(expected)
      ? []
      : [`account ${id}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`];
  });
}

/** Every reply that was settled has one record, with the counts and the cost of its bill. */
function compareBills(rows: readonly BillRow[], { bills }: Auditor): string[] {
  const missing = new Set(bills.keys());
  const deviations = rows.flatMap(({ id, counts: { extra, ...tokens }, ...found }) => {
    const bill = bills.get(id);
    if (bill === undefined || !missing.delete(id))
      return [`reply ${id}: recorded, and not settled`];
    const { costNanoUsd, estimated, capped, counts } = bill;
    const { tier: _tier, ...expected } = counts;
    const isSame = isDeepStrictEqual(
      [found, { ...tokens, ...(extra && { extra }) }],
      [{ cost: Number(costNanoUsd), estimated, capped }, expected],
    );
    return isSame
      ? []
      : [
          `reply ${id}: expected ${costNanoUsd} for ${JSON.stringify(expected)}, found ${JSON.stringify({ ...found, tokens, extra })}`,
        ];
  });
  return [...deviations, ...[...missing].map((id) => `reply ${id}: settled, and not recorded`)];
}

function compareCounters(
  what: string,
  rows: readonly CounterRow[],
  models: readonly (readonly [string, ReadonlyMap<string, bigint>])[],
): string[] {
  const found = new Map(
    rows.map(({ owner, period, startMs, amount }) => [
      `${owner} ${period} ${String(startMs)}`,
      BigInt(amount),
    ]),
  );
  const deviations: string[] = [];
  for (const [owner, counters] of models) {
    for (const [name, amount] of counters) {
      const row = found.get(`${owner} ${name}`) ?? 0n;
      found.delete(`${owner} ${name}`);
      if (row !== amount) {
        deviations.push(
          `${what} ${owner} ${name}: expected ${String(amount)}, found ${String(row)}`,
        );
      }
    }
  }
  for (const [name, amount] of found) {
    if (amount !== 0n)
      deviations.push(`${what} ${name}: expected nothing, found ${String(amount)}`);
  }
  return deviations;
}
