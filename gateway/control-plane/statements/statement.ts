import type pg from 'pg';
import type { StatementMonthList, StatementView } from '@weir/shared/watch/usage';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { findAccount } from '../accounts/account-row.ts';
import { decimalFromSum } from '../api/amount.ts';
import type { Call } from '../api/call.ts';
import { inTransaction, onlyRow, type Database } from '../api/transaction.ts';
import { readCreditsOf } from '../credits/routes.ts';
import { memberNameSql, teamNameSql } from '../usage/record-row.ts';

/**
 * The balance of a time is what came in less what usage took from it. Usage that had to be charged
 * a second time through a credit (`recovered_usage`) is in the daily book like any other, so that
 * credit is left out.
 */
const BALANCE_BEFORE = `
  select (
    coalesce((select sum(amount_nano_usd) from credits
              where account_id = $1 and created_at < $2 and kind <> 'recovered_usage'), 0)
    - coalesce((select sum(balance_nano_usd) from usage_by_key where account_id = $1 and day < $3), 0)
  )::text as "balanceNanoUsd"`;

const USAGE = `
  select model, sum(requests)::text as requests, sum(input_tokens)::text as "inputTokens",
    sum(output_tokens)::text as "outputTokens", sum(cost_nano_usd)::text as "costNanoUsd",
    sum(subscription_nano_usd)::text as "subscriptionNanoUsd", sum(uncollected_nano_usd)::text as "uncollectedNanoUsd"
  from usage_daily where account_id = $1 and day >= $2 and day < $3
  group by model order by sum(cost_nano_usd) desc, model`;

function shares(column: 'member_id' | 'team_id', name: string): string {
  return `
    select of as id, ${name} as name, requests, cost as "costNanoUsd" from (
      select ${column} as of, sum(requests)::text as requests, sum(cost_nano_usd)::text as cost
      from usage_member_days where account_id = $1 and day >= $2 and day < $3 and ${column} <> 0 group by 1
    ) shares order by cost::numeric desc, of`;
}

const MEMBERS = shares('member_id', memberNameSql('of'));
const TEAMS = shares('team_id', teamNameSql('of'));

const MONTHS = `
  select month, sum(cost)::text as "costNanoUsd", sum(credit)::text as "creditsNanoUsd"
  from (
    select to_char(day, 'YYYY-MM') as month, cost_nano_usd as cost, 0 as credit
    from usage_by_key where account_id = $1
    union all
    select to_char(created_at at time zone 'UTC', 'YYYY-MM'), 0, amount_nano_usd
    from credits where account_id = $1 and kind <> 'recovered_usage'
  ) entries group by month order by month desc`;

interface UsageRow {
  readonly model: string;
  readonly requests: string;
  readonly inputTokens: string;
  readonly outputTokens: string;
  readonly costNanoUsd: string;
  readonly subscriptionNanoUsd: string;
  readonly uncollectedNanoUsd: string;
}

interface ShareRow {
  readonly id: number;
  readonly name: string | null;
  readonly requests: string;
  readonly costNanoUsd: string;
}

async function readShares(
  db: Database,
  text: string,
  period: readonly unknown[],
): Promise<StatementView['members']> {
  const { rows } = await db.query<ShareRow>(text, [...period]);
  return rows.map(({ id, name, requests, costNanoUsd }) => {
    return { id, name, requests: Number(requests), costUsd: decimalFromSum(costNanoUsd) };
  });
}

interface MonthRow {
  readonly month: string;
  readonly costNanoUsd: string;
  readonly creditsNanoUsd: string;
}

async function balanceBefore(db: Database, accountId: string, at: Date): Promise<string> {
  const { rows } = await db.query<{ balanceNanoUsd: string }>(BALANCE_BEFORE, [
    accountId,
    at,
    at.toISOString().slice(0, 10),
  ]);
  return onlyRow(rows).balanceNanoUsd;
}

function sumOf(rows: readonly UsageRow[], of: (row: UsageRow) => string): string {
  return decimalFromSum(rows.reduce((sum, row) => sum + BigInt(of(row)), 0n).toString());
}

async function readStatement(
  pool: pg.Pool,
  accountId: string,
  month: string,
): Promise<StatementView | Refusal> {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  if (from.getTime() > databaseNowMs()) {
    return refuse('not_found', `${month} has not begun (UTC): it has no statement yet.`);
  }
  return await inTransaction(pool, async (client) => {
    // One view of the book for all parts: usage that arrives between two of them would look like a
    // credit taken back.
    await client.query('set transaction isolation level repeatable read read only');
    return await readParts(client, accountId, { month, from });
  });
}

async function readParts(
  db: Database,
  accountId: string,
  { month, from }: { readonly month: string; readonly from: Date },
): Promise<StatementView | Refusal> {
  const account = await findAccount(db, accountId);
  if (account === undefined) return refuse('not_found', 'There is no such account.');
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
  const credits = await readCreditsOf(db, accountId, { from, to });
  const period = [accountId, from.toISOString().slice(0, 10), to.toISOString().slice(0, 10)];
  const { rows } = await db.query<UsageRow>(USAGE, period);
  const opening = await balanceBefore(db, accountId, from);
  const closing = await balanceBefore(db, accountId, to);
  const fromBalance = (row: UsageRow) =>
    BigInt(row.costNanoUsd) - BigInt(row.subscriptionNanoUsd) - BigInt(row.uncollectedNanoUsd);
  const spent = rows.reduce((sum, row) => sum + fromBalance(row), 0n);
  return {
    accountId,
    accountName: account.name,
    month,
    openingBalanceUsd: decimalFromSum(opening),
    credits,
    creditsUsd: decimalFromSum((BigInt(closing) - BigInt(opening) + spent).toString()),
    usage: rows.map((row) => ({
      model: row.model,
      requests: Number(row.requests),
      inputTokens: Number(row.inputTokens),
      outputTokens: Number(row.outputTokens),
      costUsd: decimalFromSum(row.costNanoUsd),
    })),
    members: await readShares(db, MEMBERS, period),
    teams: await readShares(db, TEAMS, period),
    usageUsd: sumOf(rows, (row) => row.costNanoUsd),
    fromSubscriptionUsd: sumOf(rows, (row) => row.subscriptionNanoUsd),
    uncollectedUsd: sumOf(rows, (row) => row.uncollectedNanoUsd),
    closingBalanceUsd: decimalFromSum(closing),
  };
}

export function getOwnStatement(call: Call<'getOwnStatement'>): Promise<StatementView | Refusal> {
  return readStatement(call.context.pool, call.caller.accountId, call.params.month);
}

export function getStatement(call: Call<'getStatement'>): Promise<StatementView | Refusal> {
  return readStatement(call.context.pool, call.params.accountId, call.params.month);
}

export async function listOwnStatements(
  call: Call<'listOwnStatements'>,
): Promise<StatementMonthList> {
  const { rows } = await call.context.pool.query<MonthRow>(MONTHS, [call.caller.accountId]);
  return {
    data: rows.map((row) => ({
      month: row.month,
      costUsd: decimalFromSum(row.costNanoUsd),
      creditsUsd: decimalFromSum(row.creditsNanoUsd),
    })),
  };
}
