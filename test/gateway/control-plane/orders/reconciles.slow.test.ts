import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newRequestId } from '../../../../gateway/platform/ids/request-id.ts';
import { noteAsked, readOpenRefunds } from '../../../../gateway/control-plane/orders/refund-row.ts';
import { availableOf } from '../support/catalog.ts';
import { signedEvent, type FakeStripe } from '../support/fakes/fake-stripe.ts';
import type { AdminFixture, Person } from '../support/fixture.ts';
import { deliverTo, createStripeFixture, paidOrder } from '../support/fakes/stripe-fixture.ts';

let stripe: FakeStripe;
let fixture: AdminFixture;
let reconcileLater: () => Promise<void>;
let close: () => Promise<void>;
let admin: Person;

beforeAll(async () => {
  ({ stripe, fixture, reconcileLater, close } = await createStripeFixture());
  admin = await fixture.admin();
});
afterAll(() => close());
beforeEach(() => {
  stripe.failWith = 'nothing';
});

async function order(as: Person): Promise<string> {
  const body = { kind: 'top_up', amountUsd: '25' };
  return (await fixture.ask('createOrder', { as, body })).reply.id;
}

function deliver(type: string, object: object) {
  return deliverTo(fixture, signedEvent(type, object));
}

/** The operator sends the money of a payment back in Stripe's dashboard. */
function refundInDashboard(orderId: string, amount = 2500) {
  const refund = {
    id: `re_dashboard_${orderId}`,
    object: 'refund',
    amount,
    payment_intent: stripe.checkoutOf(orderId).payment_intent ?? '',
    status: 'succeeded',
    metadata: {},
  } as const;
  stripe.refunds.set(refund.id, { ...refund });
  return refund;
}

async function orderOf(as: Person, orderId: string) {
  return (await fixture.ask('getOwnOrder', { as, params: { orderId } })).reply;
}

describe('a payment that was refunded in Stripe before it was known here', () => {
  it('is not left in the balance when its webhook comes after that of the refund', async () => {
    const owner = await fixture.user();
    const id = await order(owner);
    const checkout = stripe.pay(id);
    await deliver('refund.created', refundInDashboard(id));
    await deliver('checkout.session.completed', checkout);
    expect(await availableOf(fixture, owner)).toBe('0');
    expect(await orderOf(owner, id)).toMatchObject({ status: 'refunded', refundedUsd: '25' });
    await deliver('refund.updated', refundInDashboard(id));
    expect(await availableOf(fixture, owner)).toBe('0');
  });

  it('is not left in the balance when no webhook comes at all', async () => {
    const owner = await fixture.user();
    const id = await order(owner);
    stripe.pay(id);
    refundInDashboard(id, 1000);
    await reconcileLater();
    expect(await availableOf(fixture, owner)).toBe('15');
    expect((await orderOf(owner, id)).status).toBe('partly_refunded');
  });

  it('is credited though Stripe does not say what went back, and is asked about again', async () => {
    const owner = await fixture.user();
    const id = await order(owner);
    const checkout = stripe.pay(id);
    refundInDashboard(id);
    stripe.failWith = 'refusal';
    const told = await deliver('checkout.session.completed', checkout);
    expect(told.statusCode).toBe(200);
    expect(await availableOf(fixture, owner)).toBe('25');
    // Later, not first of all in each round: it would keep others from being asked about.
    const { rows } = await fixture.pool.query(
      'select reversals_due_at > now() as later from orders where id = $1',
      [id],
    );
    expect(rows).toEqual([{ later: true }]);
    stripe.failWith = 'nothing';
    await reconcileLater();
    expect(await availableOf(fixture, owner)).toBe('0');
  });
});

describe('a payment of which no webhook tells that it went back', () => {
  it('by a refund in Stripe, which an administrator or the next day finds, once', async () => {
    const owner = await fixture.user();
    const ids = [
      await paidOrder({ fixture, stripe }, owner),
      await paidOrder({ fixture, stripe }, owner),
    ];
    for (const id of ids) refundInDashboard(id);
    const [orderId = ''] = ids;
    const found = await fixture.ask('reconcileOrder', { as: admin, params: { orderId } });
    expect(found.reply).toMatchObject({ status: 'refunded', refundedUsd: '25' });
    expect(await availableOf(fixture, owner)).toBe('25');
    await reconcileLater();
    await reconcileLater();
    expect(await availableOf(fixture, owner)).toBe('0');
  });

  it('by a dispute, and came back when it was won', async () => {
    const owner = await fixture.user();
    const id = await paidOrder({ fixture, stripe }, owner);
    const dispute = {
      id: `du_${id}`,
      object: 'dispute',
      amount: 2500,
      payment_intent: stripe.checkoutOf(id).payment_intent ?? '',
      status: 'needs_response',
      balance_transactions: [{ amount: -2500 }],
      metadata: {},
    } as const;
    stripe.disputes.set(dispute.id, { ...dispute, balance_transactions: [{ amount: -2500 }] });
    await reconcileLater();
    expect(await orderOf(owner, id)).toMatchObject({ status: 'refunded', chargedBackUsd: '25' });
    stripe.disputes.set(dispute.id, { ...dispute, status: 'won', balance_transactions: [] });
    await reconcileLater();
    expect(await orderOf(owner, id)).toMatchObject({ status: 'paid', chargedBackUsd: '0' });
    expect(await availableOf(fixture, owner)).toBe('25');
  });

  it('is asked about only as long as a dispute may be opened and decided', async () => {
    const owner = await fixture.user();
    const id = await paidOrder({ fixture, stripe }, owner);
    await fixture.pool.query(
      `update orders set paid_at = now() - interval '211 days' where id = $1`,
      [id],
    );
    await reconcileLater();
    const { rows } = await fixture.pool.query<{ due: Date | null }>(
      'select reversals_due_at as due from orders where id = $1',
      [id],
    );
    expect(rows).toEqual([{ due: null }]);
  });
});

describe('an order whose time is over', () => {
  const expire = (id: string) =>
    fixture.pool.query(`update orders set expires_at = now() - interval '1 second' where id = $1`, [
      id,
    ]);

  it('and which was paid without a webhook is credited', async () => {
    const owner = await fixture.user();
    const id = await order(owner);
    stripe.pay(id);
    await expire(id);
    await reconcileLater();
    expect((await orderOf(owner, id)).status).toBe('paid');
    expect(await availableOf(fixture, owner)).toBe('25');
  });

  it('expires when its checkout was never opened, and not while that may still happen', async () => {
    const owner = await fixture.user();
    stripe.failWith = 'refusal';
    const body = { kind: 'top_up', amountUsd: '25' };
    const refused = await fixture.ask('createOrder', { as: owner, body });
    expect(refused.problem.code).toBe('payment_service_failed');
    stripe.failWith = 'nothing';
    const [unopened] = (await fixture.ask('listOwnOrders', { as: owner })).reply.data;
    const id = unopened?.id ?? '';
    await reconcileLater();
    expect((await orderOf(owner, id)).status).toBe('pending');
    await expire(id);
    await reconcileLater();
    expect((await orderOf(owner, id)).status).toBe('expired');
  });
});

describe('a payment that takes days', () => {
  it('ends its order when a webhook tells that it failed, and is credited when it comes anyway', async () => {
    const owner = await fixture.user();
    const id = await order(owner);
    await deliver('checkout.session.completed', stripe.promise(id));
    expect((await orderOf(owner, id)).status).toBe('pending');
    await deliver('checkout.session.async_payment_failed', stripe.checkoutOf(id));
    expect(await orderOf(owner, id)).toMatchObject({ status: 'expired', checkoutUrl: null });
    await deliver('checkout.session.async_payment_succeeded', stripe.pay(id));
    await deliver('checkout.session.async_payment_failed', stripe.checkoutOf(id));
    expect((await orderOf(owner, id)).status).toBe('paid');
    expect(await availableOf(fixture, owner)).toBe('25');
  });

  it('is waited for while it is under way, and no longer when Stripe says that it failed', async () => {
    const owner = await fixture.user();
    const id = await order(owner);
    const { payment_intent: payment } = stripe.promise(id);
    await reconcileLater();
    expect((await orderOf(owner, id)).status).toBe('pending');
    stripe.intentStatuses.set(payment ?? '', 'requires_payment_method');
    await reconcileLater();
    expect((await orderOf(owner, id)).status).toBe('expired');
    expect(await availableOf(fixture, owner)).toBe('0');
  });
});

describe('refunds that stay open', () => {
  it('keep no newer one from being asked about', async () => {
    const owner = await fixture.user();
    const orderId = await paidOrder({ fixture, stripe }, owner);
    const ids = [newRequestId(Date.now()), newRequestId(Date.now())];
    for (const [age, id] of [...ids.entries()]) {
      await fixture.pool.query(
        `insert into order_refunds (id, order_id, amount_nano_usd, reason, actor, created_at, asked_at)
         values ($1, $2, 10000000, 'why', 'stripe', now() - interval '1 hour', now() - make_interval(mins => $3))`,
        [id, orderId, 30 - age],
      );
    }
    const asked: (string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      const [refund] = await readOpenRefunds(fixture.pool, { olderThanSeconds: 30, limit: 1 });
      asked.push(refund?.id);
      if (refund !== undefined) await noteAsked(fixture.pool, refund.id);
    }
    expect(asked).toEqual([ids[0], ids[1], ids[0]]);
    await fixture.pool.query('delete from order_refunds where id = any($1)', [ids]);
  });
});

describe('more than Stripe is asked about at once, and of which it knows nothing', () => {
  /** As many as one run asks about. */
  const BATCH = 50;

  it('keep no order that was paid waiting longer than for the next run', async () => {
    const owner = await fixture.user();
    await fixture.pool.query(
      `insert into orders (id, account_id, user_id, kind, amount_nano_usd, checkout_session_id, expires_at, updated_at)
       select gen_random_uuid(), $1, $2, 'top_up', 10000000, 'cs_unknown_' || n, now() + interval '1 hour',
         now() - interval '1 hour'
       from generate_series(1, $3::integer) n`,
      [owner.accountId, owner.userId, BATCH],
    );
    const payer = await fixture.user();
    const id = await order(payer);
    stripe.pay(id);
    await reconcileLater();
    expect((await orderOf(payer, id)).status).toBe('pending');
    await reconcileLater();
    expect((await orderOf(payer, id)).status).toBe('paid');
    await fixture.pool.query('delete from orders where account_id = $1', [owner.accountId]);
  });

  it('keep no refund that the bank sent back waiting longer than for the next run', async () => {
    const owner = await fixture.user();
    const orderId = await paidOrder({ fixture, stripe }, owner);
    const refunded = await paidOrder({ fixture, stripe }, owner);
    stripe.refundStatus = 'pending';
    const body = { reason: 'asked for it' };
    await fixture.ask('refundOrder', { as: admin, params: { orderId: refunded }, body });
    stripe.refundStatus = 'succeeded';
    for (const refund of stripe.refunds.values()) {
      if (refund.status === 'pending') refund.status = 'failed';
    }
    // The daily question about each payment would find it too.
    await fixture.pool.query('update orders set reversals_due_at = null where account_id = $1', [
      owner.accountId,
    ]);
    await fixture.pool.query(
      `insert into order_refunds
         (id, order_id, amount_nano_usd, reason, actor, stripe_refund_id, created_at, asked_at)
       select gen_random_uuid(), $1, 10000000, 'why', 'stripe', 're_unknown_' || n,
         now() - interval '1 hour', now() - interval '1 hour'
       from generate_series(1, $2::integer) n`,
      [orderId, BATCH],
    );
    await reconcileLater();
    expect((await orderOf(owner, refunded)).status).toBe('refunded');
    await reconcileLater();
    expect((await orderOf(owner, refunded)).status).toBe('paid');
  });
});
