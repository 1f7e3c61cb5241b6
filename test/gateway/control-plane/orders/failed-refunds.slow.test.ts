import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newRequestId } from '../../../../gateway/platform/ids/request-id.ts';
import { readOpenRefunds } from '../../../../gateway/control-plane/orders/refund-row.ts';
import { reconcileRefund } from '../../../../gateway/control-plane/orders/refunds.ts';
import { findPlan } from '../../../../gateway/control-plane/plans/plan-row.ts';
import { activatePlan } from '../../../../gateway/control-plane/subscriptions/activate-plan.ts';
import { askInBetween } from '../../../support/clocks/in-between.ts';
import { availableOf, makeCatalog } from '../support/catalog.ts';
import { signedEvent, type FakeStripe } from '../support/fakes/fake-stripe.ts';
import type { AdminFixture, Person } from '../support/fixture.ts';
import { makePlan } from '../support/plans.ts';
import {
  deliverTo,
  createStripeFixture,
  paidOrder,
  type StripeContext,
} from '../support/fakes/stripe-fixture.ts';

const DAY_MS = 86_400_000;

let stripe: FakeStripe;
let fixture: AdminFixture;
let context: StripeContext;
let close: () => Promise<void>;
let admin: Person;
let groupId: string;

beforeAll(async () => {
  ({ stripe, fixture, context, close } = await createStripeFixture());
  admin = await fixture.admin();
  ({ groupId } = await makeCatalog(fixture, admin));
});
afterAll(() => close());
beforeEach(() => {
  stripe.failWith = 'nothing';
  stripe.refundStatus = 'succeeded';
});

function deliver(type: string, object: object) {
  return deliverTo(fixture, signedEvent(type, object));
}

const paid = (as: Person, body: object) => paidOrder({ fixture, stripe }, as, body);

function refund(orderId: string, amountUsd?: string, key?: string) {
  return fixture.ask('refundOrder', {
    as: admin,
    params: { orderId },
    body: { reason: 'asked for it', ...(amountUsd === undefined ? {} : { amountUsd }) },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
}

/** What Stripe made last, as a webhook tells of it. */
function lastAtStripe() {
  const last = [...stripe.refunds.values()].at(-1);
  if (last === undefined) throw new Error('nothing was refunded');
  return last;
}

/** What has left Stripe for an order, in cents. */
function sentFor(orderId: string): number[] {
  const { payment_intent: payment } = stripe.checkoutOf(orderId);
  return [...stripe.refunds.values()]
    .filter(({ payment_intent: of }) => of === payment)
    .map(({ amount }) => amount);
}

/** The bank sends the last refund back, and Stripe says so again and again. */
async function fail(refunded: object = lastAtStripe()): Promise<void> {
  const failed = { ...refunded, status: 'failed' };
  await Promise.all([1, 2, 3, 4].map(() => deliver('refund.failed', failed)));
}

async function orderOf(as: Person, orderId: string) {
  return (await fixture.ask('getOwnOrder', { as, params: { orderId } })).reply;
}

/** Each subscription's state and the days that are left of it, the newest first. */
async function plansOf(as: Person) {
  const { data } = (await fixture.ask('listOwnSubscriptions', { as })).reply;
  return data.map(({ status, endsAt, renews }) => {
    const days = Math.round((Date.parse(endsAt) - Date.now()) / DAY_MS);
    return `${status}, ${String(days)} days${renews ? ', renews' : ''}`;
  });
}

/** Someone who has paid a plan of 30 days by card, so many times. */
async function holder(times: number) {
  const owner = await fixture.user();
  const { id: planId } = await makePlan(fixture, admin, { groupId, periodDays: 30 });
  const orders: string[] = [];
  for (let count = 0; count < times; count += 1) {
    orders.push(await paid(owner, { kind: 'plan', planId }));
  }
  const [first = '', second = ''] = orders;
  return { owner, planId, first, second };
}

describe('a plan whose whole refund comes to nothing', () => {
  it('goes on when Stripe refuses, and renews as before', async () => {
    const { owner, first } = await holder(1);
    const { data } = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply;
    const params = { subscriptionId: data[0]?.id ?? '' };
    await fixture.ask('updateOwnSubscription', { as: owner, params, body: { renews: true } });
    stripe.failWith = 'refusal';
    expect((await refund(first)).problem.code).toBe('payment_service_failed');
    expect(await orderOf(owner, first)).toMatchObject({ status: 'paid', refundedUsd: '0' });
    expect(await plansOf(owner)).toEqual(['active, 30 days, renews']);
  });

  it('loses one period to the refund that succeeds, however many failed before', async () => {
    const { owner, first } = await holder(2);
    stripe.failWith = 'refusal';
    await refund(first);
    await refund(first);
    expect(await plansOf(owner)).toEqual(['active, 60 days']);
    stripe.failWith = 'nothing';
    expect((await refund(first)).status).toBe(201);
    expect(await plansOf(owner)).toEqual(['active, 30 days']);
  });

  it('gets its days back once when the bank says so later, also after both of its periods went', async () => {
    const { owner, first, second } = await holder(2);
    stripe.refundStatus = 'pending';
    await refund(first);
    const sent = lastAtStripe();
    expect(await plansOf(owner)).toEqual(['active, 30 days']);
    await refund(second);
    expect(await plansOf(owner)).toEqual(['cancelled, 0 days']);
    await fail(sent);
    expect(await plansOf(owner)).toEqual(['active, 30 days']);
    await fail();
    expect(await plansOf(owner)).toEqual(['active, 60 days']);
    const { rows } = await fixture.pool.query<{ left: number }>(
      `select sum(case when debit = 'cash' then amount_nano_usd else -amount_nano_usd end)::bigint as left
       from journal_entries where account_id = $1`,
      [owner.accountId],
    );
    expect(rows).toEqual([{ left: 20_000_000_000 }]);
  });

  it('keeps its period while one of several parts has failed, and loses it once with the last', async () => {
    const { owner, first } = await holder(2);
    stripe.refundStatus = 'pending';
    await refund(first, '4');
    const part = lastAtStripe();
    await refund(first);
    expect(await plansOf(owner)).toEqual(['active, 30 days']);
    await fail();
    expect(await plansOf(owner)).toEqual(['active, 60 days']);
    await refund(first);
    expect(await plansOf(owner)).toEqual(['active, 30 days']);
    await fail(part);
    expect(await orderOf(owner, first)).toMatchObject({ status: 'partly_refunded' });
    expect(await plansOf(owner)).toEqual(['active, 60 days']);
    await refund(first);
    expect(await plansOf(owner)).toEqual(['active, 30 days']);
  });

  it('gets its days back on the subscription that was bought in the meantime', async () => {
    const { owner, planId, first } = await holder(1);
    stripe.refundStatus = 'pending';
    await refund(first);
    const sent = lastAtStripe();
    await paid(owner, { kind: 'plan', planId });
    expect(await plansOf(owner)).toEqual(['active, 30 days', 'cancelled, 0 days']);
    await fail(sent);
    expect(await plansOf(owner)).toEqual(['active, 60 days', 'cancelled, 0 days']);
    await refund(first);
    expect(await plansOf(owner)).toEqual(['active, 30 days', 'cancelled, 0 days']);
  });

  it('loses with the next try what it got back, and nothing of what was bought in the meantime', async () => {
    const { owner, planId, first } = await holder(1);
    await fixture.pool.query(
      `with ages as (update subscription_periods set starts_at = starts_at - interval '29 days',
         ends_at = ends_at - interval '29 days' where account_id = $1)
       update subscriptions set ends_at = ends_at - interval '29 days' where account_id = $1`,
      [owner.accountId],
    );
    stripe.refundStatus = 'pending';
    await refund(first);
    const sent = lastAtStripe();
    await paid(owner, { kind: 'plan', planId });
    await fail(sent);
    expect(await plansOf(owner)).toEqual(['active, 31 days', 'cancelled, 0 days']);
    await refund(first);
    expect(await plansOf(owner)).toEqual(['active, 30 days', 'cancelled, 0 days']);
  });
});

describe('a plan of which one period of several is refunded', () => {
  it('goes on to renew', async () => {
    const { owner, first, second } = await holder(2);
    const { data } = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply;
    const params = { subscriptionId: data[0]?.id ?? '' };
    await fixture.ask('updateOwnSubscription', { as: owner, params, body: { renews: true } });
    await refund(first);
    expect(await plansOf(owner)).toEqual(['active, 30 days, renews']);
    await refund(second);
    expect(await plansOf(owner)).toEqual(['cancelled, 0 days']);
  });
});

describe('a plan that is over already when its payment is refunded', () => {
  it('stays over when the refund fails', async () => {
    const { owner, first } = await holder(1);
    const { data } = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply;
    await fixture.ask('updateSubscription', {
      as: admin,
      anyVersion: true,
      params: { subscriptionId: data[0]?.id ?? '' },
      body: { status: 'cancelled' },
    });
    const before = await plansOf(owner);
    stripe.refundStatus = 'pending';
    await refund(first);
    await fail();
    expect(before).toEqual([expect.stringContaining('cancelled')]);
    expect(await plansOf(owner)).toEqual(before);
  });
});

describe('a plan that is bought while its first period is refunded', () => {
  it('keeps the period that was just bought', async () => {
    const { owner, planId, first } = await holder(1);
    const plan = await findPlan(fixture.pool, planId);
    if (plan === undefined) throw new Error('the plan is gone');
    const answer = await askInBetween(
      fixture.pool,
      (client) =>
        activatePlan(client, {
          periodId: newRequestId(Date.now()),
          accountId: owner.accountId,
          plan,
          source: 'grant',
          priceNanoUsd: 0,
          days: 30,
          renews: null,
        }),
      () => refund(first),
    );
    expect(answer.status).toBe(201);
    expect(await plansOf(owner)).toEqual(['active, 30 days']);
  });
});

describe('a refund that was refused', () => {
  const topUp = { kind: 'top_up', amountUsd: '25' };

  it('is begun again by the same request: the book loses what the card gets', async () => {
    const owner = await fixture.user();
    const id = await paid(owner, topUp);
    stripe.failWith = 'refusal';
    expect((await refund(id, '10', 'the-same-key')).status).toBe(502);
    expect((await refund(id, '10', 'the-same-key')).status).toBe(502);
    expect(await availableOf(fixture, owner)).toBe('25');
    stripe.failWith = 'nothing';
    const again = await refund(id, '10', 'the-same-key');
    expect(again.reply).toMatchObject({ status: 'partly_refunded', refundedUsd: '10' });
    expect(sentFor(id)).toEqual([1000]);
    expect(await availableOf(fixture, owner)).toBe('15');
    await fixture.pool.query(
      'update idempotency_keys set reply_status = null, reply_sealed = null',
    );
    const repeated = await refund(id, '10', 'the-same-key');
    expect(repeated.reply).toMatchObject({ status: 'partly_refunded', refundedUsd: '10' });
    expect(sentFor(id)).toEqual([1000]);
    expect(await availableOf(fixture, owner)).toBe('15');
  });

  it('and of which Stripe says later that it was carried out takes the money again, once', async () => {
    const owner = await fixture.user();
    const id = await paid(owner, topUp);
    stripe.failWith = 'refusal';
    await refund(id);
    const { rows } = await fixture.pool.query<{ id: string }>(
      'select id from order_refunds where order_id = $1',
      [id],
    );
    const carriedOut = {
      id: `re_carried_out_${id}`,
      object: 'refund',
      amount: 2500,
      payment_intent: stripe.checkoutOf(id).payment_intent,
      status: 'succeeded',
      metadata: { weir_refund_id: rows[0]?.id },
    };
    await Promise.all([1, 2, 3, 4].map(() => deliver('refund.updated', carriedOut)));
    expect(await availableOf(fixture, owner)).toBe('0');
    expect(await orderOf(owner, id)).toMatchObject({ status: 'refunded', refundedUsd: '25' });
    await fail(carriedOut);
    expect(await availableOf(fixture, owner)).toBe('25');
    expect(await orderOf(owner, id)).toMatchObject({ status: 'paid', refundedUsd: '0' });
  });

  it('as a repeat of one that is under way keeps its money away from the balance', async () => {
    const owner = await fixture.user();
    const id = await paid(owner, topUp);
    stripe.failWith = 'outage';
    await refund(id, '10');
    const open = await readOpenRefunds(fixture.pool, { olderThanSeconds: -60, limit: 100 });
    const asked = open.find(({ orderId }) => orderId === id);
    if (asked === undefined) throw new Error('the refund is not open');
    await deliver('refund.created', {
      id: `re_under_way_${id}`,
      object: 'refund',
      amount: 1000,
      payment_intent: stripe.checkoutOf(id).payment_intent,
      status: 'pending',
      metadata: { weir_refund_id: asked.id },
    });
    stripe.failWith = 'refusal';
    await reconcileRefund(context, context.stripe, asked);
    expect(await availableOf(fixture, owner)).toBe('15');
    expect(await orderOf(owner, id)).toMatchObject({ refundedUsd: '10' });
  });

  it('after it had succeeded is no refusal: the same request is not sent again', async () => {
    const owner = await fixture.user();
    const id = await paid(owner, topUp);
    expect((await refund(id, '10', 'succeeded-once')).status).toBe(201);
    await fixture.pool.query(
      'update idempotency_keys set reply_status = null, reply_sealed = null',
    );
    stripe.failWith = 'refusal';
    const repeated = await refund(id, '10', 'succeeded-once');
    expect(repeated.reply).toMatchObject({ status: 'partly_refunded', refundedUsd: '10' });
    expect(await availableOf(fixture, owner)).toBe('15');
  });
});

describe('a refund that Stripe made and whose answer got lost', () => {
  it('is found at Stripe when it is asked for again, also when Stripe has forgotten the first asking', async () => {
    const owner = await fixture.user();
    const id = await paid(owner, { kind: 'top_up', amountUsd: '25' });
    stripe.failWith = 'outage';
    await refund(id, '10', 'answer-got-lost');
    const { rows } = await fixture.pool.query<{ id: string }>(
      'select id from order_refunds where order_id = $1',
      [id],
    );
    const made = `re_made_${id}`;
    stripe.refunds.set(made, {
      id: made,
      object: 'refund',
      amount: 1000,
      payment_intent: stripe.checkoutOf(id).payment_intent ?? '',
      status: 'succeeded',
      metadata: { weir_refund_id: rows[0]?.id ?? '' },
    });
    stripe.failWith = 'nothing';
    await fixture.pool.query(
      'update idempotency_keys set reply_status = null, reply_sealed = null',
    );
    await refund(id, '10', 'answer-got-lost');
    expect(sentFor(id)).toEqual([1000]);
    const after = await fixture.pool.query<{ status: string; stripeRefundId: string }>(
      'select status, stripe_refund_id as "stripeRefundId" from order_refunds where order_id = $1',
      [id],
    );
    expect(after.rows).toEqual([{ status: 'succeeded', stripeRefundId: made }]);
    expect(await availableOf(fixture, owner)).toBe('15');
  });
});

describe('a refund that is canceled in Stripe', () => {
  it('gives its money back', async () => {
    const owner = await fixture.user();
    const id = await paid(owner, { kind: 'top_up', amountUsd: '25' });
    stripe.refundStatus = 'pending';
    await refund(id);
    expect(await availableOf(fixture, owner)).toBe('0');
    await deliver('refund.updated', { ...lastAtStripe(), status: 'canceled' });
    expect(await availableOf(fixture, owner)).toBe('25');
    expect(await orderOf(owner, id)).toMatchObject({ status: 'paid', refundedUsd: '0' });
  });
});

describe('a refund that the bank sent back', () => {
  it('stays failed when an older message that it succeeded comes late', async () => {
    const owner = await fixture.user();
    const id = await paid(owner, { kind: 'top_up', amountUsd: '25' });
    await refund(id);
    const sent = lastAtStripe();
    await fail(sent);
    await deliver('refund.updated', sent);
    expect(await availableOf(fixture, owner)).toBe('25');
    expect(await orderOf(owner, id)).toMatchObject({ status: 'paid', refundedUsd: '0' });
  });
});
