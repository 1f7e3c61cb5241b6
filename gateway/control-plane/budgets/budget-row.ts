import type { Budgets, BudgetView } from '@weir/shared/money/budgets';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { decimalOrNull } from '../api/amount.ts';
import type { Database } from '../api/transaction.ts';

/** In nano-USD; null is no limit. */
export interface Limits {
  readonly total: number | null;
  readonly day: number | null;
  readonly month: number | null;
}

export interface BudgetRow extends Limits {
  readonly scope: string;
  readonly kind: BudgetView['kind'];
  readonly name: string;
  readonly isCounted: boolean;
  readonly spentTotal: number;
  readonly spentDay: number;
  readonly spentMonth: number;
}

function spent(period: 'total' | 'day' | 'month', alias: string): string {
  return `coalesce((
    select spent_nano_usd from scope_spend p where p.account_id = $1 and p.scope = s.scope
      and p.period = '${period}' and p.period_start = period_start('${period}', account_local($1, now()))
  ), 0) as "${alias}"`;
}

/** The account first, then its teams and members by name. $2: the only scope, or null for all. */
const SELECT = `
  with scopes as (
    select 'account' as scope, 'account' as kind, name, budgeted as counted from accounts where id = $1
    union all
    select 'team:' || id, 'team', name, true from teams where account_id = $1 and deleted_at is null
    union all
    select 'member:' || m.id, 'member', u.email, true
    from members m join users u on u.id = m.user_id where m.account_id = $1 and m.ended_at is null
  )
  select s.scope, s.kind, s.name, b.total_nano_usd as total, b.day_nano_usd as day, b.month_nano_usd as month,
    s.counted as "isCounted", ${spent('total', 'spentTotal')}, ${spent('day', 'spentDay')}, ${spent('month', 'spentMonth')}
  from scopes s left join spend_budgets b on b.account_id = $1 and b.scope = s.scope
  where $2::text is null or s.scope = $2
  order by array_position(array['account', 'team', 'member'], s.kind), lower(s.name), s.scope`;

export async function findBudgets(db: Database, accountId: string): Promise<BudgetRow[]> {
  return (await db.query<BudgetRow>(SELECT, [accountId, null])).rows;
}

/** Undefined when the account has no such team or member. */
export async function findBudget(
  db: Database,
  accountId: string,
  scope: string,
): Promise<BudgetRow | undefined> {
  return (await db.query<BudgetRow>(SELECT, [accountId, scope])).rows[0];
}

export function budgetsView({ total, day, month }: Limits): Budgets {
  return {
    totalUsd: decimalOrNull(total),
    dayUsd: decimalOrNull(day),
    monthUsd: decimalOrNull(month),
  };
}

export function budgetView(row: BudgetRow): BudgetView {
  return {
    scope: row.scope,
    kind: row.kind,
    name: row.name,
    ...budgetsView(row),
    spend: row.isCounted
      ? {
          totalUsd: decimalFromNanoUsd(row.spentTotal),
          dayUsd: decimalFromNanoUsd(row.spentDay),
          monthUsd: decimalFromNanoUsd(row.spentMonth),
        }
      : null,
  };
}
