import type { BudgetUpdate } from '@weir/shared/money/budgets';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { limitFromWire } from '../api/amount.ts';
import type { Answer, Call } from '../api/call.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { budgetView, findBudget, type Limits } from './budget-row.ts';

const WRITE = `
  insert into spend_budgets (account_id, scope, total_nano_usd, day_nano_usd, month_nano_usd)
  values ($1, $2, $3, $4, $5)
  on conflict (account_id, scope) do update set total_nano_usd = excluded.total_nano_usd,
    day_nano_usd = excluded.day_nano_usd, month_nano_usd = excluded.month_nano_usd, updated_at = now()`;

const REMOVE = 'delete from spend_budgets where account_id = $1 and scope = $2';

/**
 * Teams and members are always counted, the account only while it has a budget. Its row is locked
 * first, as usage that arrives does (decision 0028).
 */
async function countAccount(db: Database, accountId: string, isBudgeted: boolean): Promise<void> {
  const { rowCount } = await db.query(
    'update accounts set budgeted = $2 where id = $1 and budgeted <> $2',
    [accountId, isBudgeted],
  );
  if (rowCount === 0) return;
  if (isBudgeted) await db.query('select count_account_spend($1)', [accountId]);
  else {
    await db.query(`delete from scope_spend where account_id = $1 and scope = 'account'`, [
      accountId,
    ]);
  }
}

/** Replaces the budgets of a scope. The account's row is locked. */
export async function writeBudgets(
  db: Database,
  { accountId, scope }: { readonly accountId: string; readonly scope: string },
  { total, day, month }: Limits,
): Promise<void> {
  const isBudgeted = total !== null || day !== null || month !== null;
  if (scope === 'account') await countAccount(db, accountId, isBudgeted);
  if (isBudgeted) await db.query(WRITE, [accountId, scope, total, day, month]);
  else await db.query(REMOVE, [accountId, scope]);
}

/** The budgets after a change: a field that was not sent keeps its budget. */
export function changedBudgets(before: Limits, body: BudgetUpdate): Limits | Refusal {
  const total = limitFromWire(body.totalUsd, 'totalUsd');
  const day = limitFromWire(body.dayUsd, 'dayUsd');
  const month = limitFromWire(body.monthUsd, 'monthUsd');
  for (const limit of [total, day, month]) {
    if (typeof limit === 'object' && limit !== null) return limit;
  }
  const kept = (limit: typeof total, former: number | null): number | null =>
    typeof limit === 'number' || limit === null ? limit : former;
  return {
    total: kept(total, before.total),
    day: kept(day, before.day),
    month: kept(month, before.month),
  };
}

export function updateBudget(call: Call<'updateBudget'>): Answer<'updateBudget'> {
  const { context, caller, params, body } = call;
  const { accountId } = caller;
  const scope = params.budgetScope;
  return inTransaction(context.pool, async (db) => {
    await db.query('select from accounts where id = $1 for no key update', [accountId]);
    const before = await findBudget(db, accountId, scope);
    if (before === undefined) {
      return refuse('not_found', 'The account has no such team or member.');
    }
    const budgets = changedBudgets(before, body);
    if ('refused' in budgets) return budgets;
    await writeBudgets(db, { accountId, scope }, budgets);
    const after = await findBudget(db, accountId, scope);
    const view = budgetView(after ?? before);
    const receipt = await audit(db, call, {
      kind: 'account',
      id: accountId,
      before: budgetView(before),
      after: view,
    });
    return { view, audit: receipt };
  });
}
