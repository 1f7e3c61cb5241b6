import type { BILLING_ROUTES } from '@weir/shared/api/admin-routes/billing';
import type { PlanDetail, PlanUpdate } from '@weir/shared/money/plans';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { Allowance } from '../../ledger/ledger.ts';
import { amountFromWire } from '../api/amount.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { given, setClause } from '../api/lists/column-list.ts';
import {
  inTransaction,
  isDuplicate,
  isReferenceBroken,
  type Database,
} from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { findPlan, planDetail, planView, readPlans, readPlansForSale } from './plan-row.ts';

type Table = Pick<
  typeof BILLING_ROUTES,
  'listPlansForSale' | 'listPlans' | 'createPlan' | 'getPlan' | 'updatePlan' | 'deletePlan'
>;

export const planHandlers: HandlersOf<Table> = {
  listPlansForSale: async ({ context, caller }) => {
    const plans = await readPlansForSale(context.pool, caller?.accountId ?? null);
    return { data: plans.map(planView) };
  },
  listPlans: async ({ context }) => ({ data: (await readPlans(context.pool)).map(planView) }),
  createPlan,
  getPlan: ({ context, params }) => detailOf(context.pool, params.planId),
  updatePlan,
  deletePlan,
};

const NO_PLAN = refuse('not_found', 'There is no such plan.');

const INSERT = 'insert into plans (id, name, price_nano_usd) values ($1, $2, 0)';
const DELETE_GROUPS = 'delete from plan_groups where plan_id = $1';
const INSERT_GROUPS = `
  insert into plan_groups (plan_id, group_id) select $1, unnest($2::uuid[]) on conflict do nothing`;
const DELETE_ALLOWANCES = 'delete from plan_allowances where plan_id = $1';
const INSERT_ALLOWANCES = `
  insert into plan_allowances (plan_id, allowance_window, limit_nano_usd)
  select $1, a."window", a."limitNanoUsd"
  from jsonb_to_recordset($2::jsonb) as a("window" text, "limitNanoUsd" bigint)`;

async function detailOf(db: Database, planId: string): Promise<PlanDetail | Refusal> {
  const plan = await findPlan(db, planId);
  return plan === undefined ? NO_PLAN : planDetail(db, plan);
}

interface PlanTerms {
  readonly priceNanoUsd: number | undefined;
  readonly allowances: readonly Allowance[] | undefined;
}

function readTerms(body: PlanUpdate): PlanTerms | Refusal {
  const priceNanoUsd = amountFromWire(body.priceUsd, 'priceUsd');
  if (typeof priceNanoUsd === 'object') return priceNanoUsd;
  const windows = new Set(body.allowances?.map(({ window }) => window));
  if (body.allowances !== undefined && windows.size !== body.allowances.length) {
    return refuse('invalid_value', 'A window has at most one allowance.', { param: 'allowances' });
  }
  const allowances: Allowance[] = [];
  for (const { window, limitUsd } of body.allowances ?? []) {
    const limitNanoUsd = amountFromWire(limitUsd, 'allowances');
    if (typeof limitNanoUsd !== 'number') return limitNanoUsd;
    allowances.push({ window, limitNanoUsd });
  }
  return { priceNanoUsd, allowances: body.allowances === undefined ? undefined : allowances };
}

async function writePlan(
  db: Database,
  planId: string,
  { body, terms }: { readonly body: PlanUpdate; readonly terms: PlanTerms },
): Promise<void> {
  const { sql, values } = setClause(
    given([
      ['name', body.name],
      ['description', body.description],
      ['price_nano_usd', terms.priceNanoUsd],
      ['period_days', body.periodDays],
      ['status', body.status],
      ['sort_order', body.sortOrder],
    ]),
    2,
  );
  await db.query(`update plans set ${sql} where id = $1`, [planId, ...values]);
  if (body.groupIds !== undefined) {
    await db.query(DELETE_GROUPS, [planId]);
    await db.query(INSERT_GROUPS, [planId, body.groupIds]);
  }
  if (terms.allowances !== undefined) {
    await db.query(DELETE_ALLOWANCES, [planId]);
    await db.query(INSERT_ALLOWANCES, [planId, JSON.stringify(terms.allowances)]);
  }
}

async function refuseBadPlan<Result>(write: Promise<Result>): Promise<Result | Refusal> {
  try {
    return await write;
  } catch (error) {
    if (isDuplicate(error)) {
      return refuse('already_exists', 'There is a plan with this name.', { param: 'name' });
    }
    if (!isReferenceBroken(error)) throw error;
    return refuse('invalid_value', 'One of the groups does not exist.', { param: 'groupIds' });
  }
}

async function createPlan(call: Call<'createPlan'>): Answer<'createPlan'> {
  const { body, context } = call;
  const terms = readTerms(body);
  if ('refused' in terms) return terms;
  return refuseBadPlan(
    inTransaction(context.pool, async (client) => {
      const id = newRequestId(Date.now());
      await client.query(INSERT, [id, body.name]);
      await writePlan(client, id, { body, terms });
      const after = await detailOf(client, id);
      if ('refused' in after) return after;
      return {
        view: after,
        audit: await audit(client, call, { kind: 'plan', id, before: null, after }),
      };
    }),
  );
}

async function updatePlan(call: Call<'updatePlan'>): Answer<'updatePlan'> {
  const { body, context, params } = call;
  const terms = readTerms(body);
  if ('refused' in terms) return terms;
  return refuseBadPlan(
    inTransaction(context.pool, async (client) => {
      const plan = await findPlan(client, params.planId, { lock: true });
      if (plan === undefined) return NO_PLAN;
      const before = await planDetail(client, plan);
      const stale = call.refuseStale(before);
      if (stale !== undefined) return stale;
      await writePlan(client, plan.id, { body, terms });
      const after = await detailOf(client, plan.id);
      if ('refused' in after) return after;
      return {
        view: after,
        audit: await audit(client, call, { kind: 'plan', id: plan.id, before, after }),
      };
    }),
  );
}

async function deletePlan(call: Call<'deletePlan'>): Answer<'deletePlan'> {
  const { context, params } = call;
  try {
    return await inTransaction(context.pool, async (client) => {
      const plan = await findPlan(client, params.planId, { lock: true });
      if (plan === undefined) return NO_PLAN;
      const before = await planDetail(client, plan);
      await client.query('delete from plans where id = $1', [plan.id]);
      return {
        view: undefined,
        audit: await audit(client, call, { kind: 'plan', id: plan.id, before, after: null }),
      };
    });
  } catch (error) {
    if (!isReferenceBroken(error)) throw error;
    return refuse('in_use', 'Someone bought or was given this plan. Disable it instead.');
  }
}
