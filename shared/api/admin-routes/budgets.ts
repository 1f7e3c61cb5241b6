import type { AdminRoute } from '../admin-route.ts';
import { BudgetList, BudgetUpdate, BudgetView, TimeZoneUpdate } from '../../money/budgets.ts';

/** Budgets above those of keys. */
export const BUDGET_ROUTES = {
  listBudgets: {
    method: 'GET',
    path: '/budgets',
    caller: 'user',
    permission: 'billing.read',
    summary: 'Budgets and spend of the account, its teams and members, and when periods end.',
    status: 200,
    reply: BudgetList,
  },
  updateBudget: {
    method: 'PUT',
    path: '/budgets/:budgetScope',
    caller: 'user',
    permission: 'members.manage',
    audited: true,
    summary:
      'Changes the budgets of the account (`account`), a team (`team:5`) or a member (`member:7`).',
    body: BudgetUpdate,
    status: 200,
    reply: BudgetView,
  },
  updateTimeZone: {
    method: 'PUT',
    path: '/accounts/me/time-zone',
    caller: 'user',
    permission: 'account.manage',
    audited: true,
    summary: 'Changes the time zone of days and months of budgets.',
    body: TimeZoneUpdate,
    status: 200,
    reply: BudgetList,
  },
} as const satisfies Record<string, AdminRoute>;
