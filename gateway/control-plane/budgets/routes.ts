import type { BUDGET_ROUTES } from '@weir/shared/api/admin-routes/budgets';
import type { BudgetList } from '@weir/shared/money/budgets';
import type { HandlersOf } from '../api/call.ts';
import type { Database } from '../api/transaction.ts';
import { budgetView, findBudgets } from './budget-row.ts';
import { moveToZone, readPeriods } from './time-zone.ts';
import { updateBudget } from './update-budget.ts';

export const budgetHandlers: HandlersOf<typeof BUDGET_ROUTES> = {
  listBudgets: ({ context, caller }) => readBudgets(context.pool, caller.accountId),
  updateBudget,
  updateTimeZone: (call) => moveToZone(call, (db) => readBudgets(db, call.caller.accountId)),
};

async function readBudgets(db: Database, accountId: string): Promise<BudgetList> {
  const periods = await readPeriods(db, accountId);
  return { ...periods, data: (await findBudgets(db, accountId)).map(budgetView) };
}
