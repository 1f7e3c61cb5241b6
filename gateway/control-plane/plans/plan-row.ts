import type { PlanAllowance, PlanDetail, PlanView } from '@weir/shared/money/plans';
import { ALLOWANCE_WINDOWS } from '@weir/shared/money/plans';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import type { Allowance } from '../../ledger/ledger.ts';
import { type Database, lockRow, onlyRow } from '../api/transaction.ts';
import { openTo } from '../groups/open-to.ts';

export interface PlanRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly priceNanoUsd: number;
  readonly periodDays: number;
  readonly status: PlanView['status'];
  readonly sortOrder: number;
  readonly groups: { readonly id: string; readonly name: string }[];
  readonly allowances: Allowance[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const SELECT = `
  select p.id, p.name, p.description, p.price_nano_usd as "priceNanoUsd", p.period_days as "periodDays", p.status,
    p.sort_order as "sortOrder", p.created_at as "createdAt", p.updated_at as "updatedAt",
    coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.sort_order, g.name)
              from plan_groups pg join groups g on g.id = pg.group_id where pg.plan_id = p.id), '[]') as groups,
    coalesce((select jsonb_agg(jsonb_build_object('window', a.allowance_window, 'limitNanoUsd', a.limit_nano_usd))
              from plan_allowances a where a.plan_id = p.id), '[]') as allowances
  from plans p`;

const COUNT_ACTIVE = `
  select count(*)::integer as count from subscriptions
  where plan_id = $1 and status = 'active' and ends_at > now()`;

/** A plan is for the accounts that may use one of its groups. */
const FOR_ACCOUNT = `exists (
  select from plan_groups pg join groups g on g.id = pg.group_id
  where pg.plan_id = p.id and ${openTo('$1::uuid')})`;

const ORDER = 'order by p.sort_order, p.price_nano_usd, p.name';
const LIST = `${SELECT} ${ORDER}`;
const FOR_SALE = `${SELECT} where p.status = 'active' and ${FOR_ACCOUNT} ${ORDER}`;

/** Reads all plans, also disabled ones. */
export async function readPlans(db: Database): Promise<PlanRow[]> {
  return (await db.query<PlanRow>(LIST)).rows;
}

/**
 * Reads the plans that an account can buy, with those of their groups that it may use.
 * @param accountId null for a visitor
 */
export async function readPlansForSale(db: Database, accountId: string | null): Promise<PlanRow[]> {
  const { rows } = await db.query<PlanRow>(FOR_SALE, [accountId]);
  const open = await db.query<{ id: string }>(OPEN_GROUPS, [accountId]);
  const ids = new Set(open.rows.map(({ id }) => id));
  return rows.map((row) => ({ ...row, groups: row.groups.filter(({ id }) => ids.has(id)) }));
}

const OPEN_GROUPS = `select g.id from groups g where ${openTo('$1::uuid')}`;

/** Finds a plan that the account can buy, as far as its groups are concerned. */
export async function findPlanFor(
  db: Database,
  { planId, accountId }: { readonly planId: string; readonly accountId: string },
): Promise<PlanRow | undefined> {
  const text = `${SELECT} where p.id = $2 and ${FOR_ACCOUNT}`;
  return (await db.query<PlanRow>(text, [accountId, planId])).rows[0];
}

export async function findPlan(
  db: Database,
  planId: string,
  options: { readonly lock: boolean } = { lock: false },
): Promise<PlanRow | undefined> {
  if (options.lock) await lockRow(db, 'plans', planId);
  return (await db.query<PlanRow>(`${SELECT} where p.id = $1`, [planId])).rows[0];
}

/** Shortest window first, whatever order the database has them in. */
function allowancesView(allowances: readonly Allowance[]): PlanAllowance[] {
  return ALLOWANCE_WINDOWS.flatMap((window) =>
    allowances
      .filter((allowance) => allowance.window === window)
      .map(({ limitNanoUsd }) => ({ window, limitUsd: decimalFromNanoUsd(limitNanoUsd) })),
  );
}

export function planView(row: PlanRow): PlanView {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    priceUsd: decimalFromNanoUsd(row.priceNanoUsd),
    periodDays: row.periodDays,
    status: row.status,
    sortOrder: row.sortOrder,
    groups: row.groups,
    allowances: allowancesView(row.allowances),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * Counts who has the plan. Only its own page shows that: lists of plans are public, and every
 * purchase reads a plan.
 */
export async function planDetail(db: Database, row: PlanRow): Promise<PlanDetail> {
  const { rows } = await db.query<{ count: number }>(COUNT_ACTIVE, [row.id]);
  return { ...planView(row), activeSubscriptionsCount: onlyRow(rows).count };
}
