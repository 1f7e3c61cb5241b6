import type { BILLING_ROUTES } from '@weir/shared/api/admin-routes/billing';
import type {
  SubscriptionAdminListQuery,
  SubscriptionPage,
  SubscriptionView,
} from '@weir/shared/money/subscriptions';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { findAccount } from '../accounts/account-row.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { readSorted } from '../api/lists/sorted-list.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { findPlan, findPlanFor } from '../plans/plan-row.ts';
import { activatePlan, findPurchased, refuseUnusablePlan } from './activate-plan.ts';
import { buyFromBalance } from './buy-from-balance.ts';
import { SUBSCRIPTION_LIST } from './subscription-list.ts';
import { findSubscription, subscriptionView } from './subscription-row.ts';

type Table = Pick<
  typeof BILLING_ROUTES,
  | 'listOwnSubscriptions'
  | 'buySubscription'
  | 'updateOwnSubscription'
  | 'listSubscriptions'
  | 'grantSubscription'
  | 'getSubscription'
  | 'updateSubscription'
>;

export const subscriptionHandlers: HandlersOf<Table> = {
  listOwnSubscriptions: ({ context, query, caller }) =>
    readPage(context.pool, { ...query, accountId: caller.accountId }),
  buySubscription,
  updateOwnSubscription,
  listSubscriptions: ({ context, query }) => readPage(context.pool, query),
  grantSubscription,
  getSubscription: ({ context, params }) => readSubscription(context.pool, params.subscriptionId),
  updateSubscription,
};

const NO_SUBSCRIPTION = refuse('not_found', 'There is no such subscription.');

const SET_RENEWS = 'update subscriptions set renews = $2, updated_at = now() where id = $1';

/** Stopping takes the end to now; a gateway looks at the end, and so does the ledger. */
const CHANGE = `
  update subscriptions set
    status = case when $2 then 'cancelled' else status end,
    renews = case when $2 then false else coalesce($3, renews) end,
    ends_at = case when $2 then least(ends_at, now()) else coalesce($4, ends_at) end,
    updated_at = now()
  where id = $1`;

function readPage(
  db: Database,
  query: SubscriptionAdminListQuery,
): Promise<SubscriptionPage | Refusal> {
  return readSorted(db, SUBSCRIPTION_LIST, query, subscriptionView);
}

export async function readSubscriptionsOf(
  db: Database,
  accountId: string,
): Promise<SubscriptionView[]> {
  const page = await readPage(db, { accountId });
  return 'refused' in page ? [] : page.data;
}

export async function readSubscription(
  db: Database,
  subscriptionId: string,
): Promise<SubscriptionView | Refusal> {
  const row = await findSubscription(db, subscriptionId);
  return row === undefined ? NO_SUBSCRIPTION : subscriptionView(row);
}

async function buySubscription(call: Call<'buySubscription'>): Promise<SubscriptionView | Refusal> {
  const { context, body, caller, operationId } = call;
  const { accountId } = caller;
  const plan = refuseUnusablePlan(
    await findPlanFor(context.pool, { planId: body.planId, accountId }),
  );
  if ('refused' in plan) {
    // A repeat returns what was paid for, even if the plan is no longer sold.
    const made = await findPurchased(context.pool, operationId);
    return made === undefined ? plan : readSubscription(context.pool, made);
  }
  const bought = await buyFromBalance(
    context,
    {
      periodId: operationId,
      accountId,
      plan,
      source: 'balance',
      priceNanoUsd: plan.priceNanoUsd,
      days: plan.periodDays,
      renews: body.renews ?? null,
    },
    caller.userId,
  );
  if ('refused' in bought) return bought;
  return readSubscription(context.pool, bought.subscriptionId);
}

function updateOwnSubscription(
  call: Call<'updateOwnSubscription'>,
): Promise<SubscriptionView | Refusal> {
  const { context, params, body, caller } = call;
  return inTransaction(context.pool, async (client) => {
    const known = await findSubscription(client, params.subscriptionId, { lock: true });
    if (known?.accountId !== caller.accountId) return NO_SUBSCRIPTION;
    // What is over may still wait for its renewal, which its owner may not want any more.
    const isOver =
      known.status !== 'active' || (body.renews && known.endsAt.getTime() <= databaseNowMs());
    if (isOver) {
      return refuse('state_conflict', 'This subscription is over. Buy the plan again.');
    }
    await client.query(SET_RENEWS, [known.id, body.renews]);
    return readSubscription(client, known.id);
  });
}

function grantSubscription(call: Call<'grantSubscription'>): Answer<'grantSubscription'> {
  const { context, body, operationId } = call;
  return inTransaction(context.pool, async (client) => {
    const plan = await findPlan(client, body.planId);
    if (plan === undefined)
      return refuse('not_found', 'There is no such plan.', { param: 'planId' });
    if ((await findAccount(client, body.accountId)) === undefined) {
      return refuse('not_found', 'There is no such account.', { param: 'accountId' });
    }
    const subscriptionId = await activatePlan(client, {
      periodId: operationId,
      accountId: body.accountId,
      plan,
      source: 'grant',
      priceNanoUsd: 0,
      days: body.days ?? plan.periodDays,
      renews: null,
    });
    const view = await readSubscription(client, subscriptionId);
    if ('refused' in view) return view;
    const after = { ...view, reason: body.reason };
    return {
      view,
      audit: await audit(client, call, {
        kind: 'subscription',
        id: subscriptionId,
        before: null,
        after,
      }),
    };
  });
}

function updateSubscription(call: Call<'updateSubscription'>): Answer<'updateSubscription'> {
  const { context, params, body } = call;
  return inTransaction(context.pool, async (client) => {
    const known = await findSubscription(client, params.subscriptionId, { lock: true });
    if (known === undefined) return NO_SUBSCRIPTION;
    const before = subscriptionView(known);
    // An end that was reckoned from what a page showed before a renewal would take the renewed
    // period back.
    const stale = call.refuseStale(before);
    if (stale !== undefined) return stale;
    if (known.status !== 'active') return refuse('state_conflict', 'This subscription is over.');
    const endsAt = body.endsAt === undefined ? null : new Date(body.endsAt);
    if (endsAt !== null && endsAt <= known.startedAt) {
      return refuse('invalid_value', 'It cannot end before it began.', { param: 'endsAt' });
    }
    const stops = body.status === 'cancelled';
    await client.query(CHANGE, [known.id, stops, body.renews ?? null, endsAt]);
    const after = await readSubscription(client, known.id);
    if ('refused' in after) return after;
    return {
      view: after,
      audit: await audit(client, call, { kind: 'subscription', id: known.id, before, after }),
    };
  });
}
