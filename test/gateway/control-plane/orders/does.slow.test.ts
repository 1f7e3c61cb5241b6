import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { availableOf, makeCatalog } from '../support/catalog.ts';
import { signedEvent, type FakeStripe } from '../support/fakes/fake-stripe.ts';
import type { AdminFixture, Person } from '../support/fixture.ts';
import { makePlan } from '../support/plans.ts';
import { deliverTo, createStripeFixture } from '../support/fakes/stripe-fixture.ts';

let stripe: FakeStripe;
let fixture: AdminFixture;
let close: () => Promise<void>;
let admin: Person;

beforeAll(async () => {
  ({ stripe, fixture, close } = await createStripeFixture());
  admin = await fixture.admin();
});
afterAll(() => close());
beforeEach(() => {
  stripe.failWith = 'nothing';
  stripe.refundStatus = 'succeeded';
});

async function order(as: Person, amountUsd = '25') {
  const made = await fixture.ask('createOrder', { as, body: { kind: 'top_up', amountUsd } });
  return made.reply;
}

function deliver(type: string, object: object) {
  return deliverTo(fixture, signedEvent(type, object));
}

async function paidOrder(as: Person, amountUsd = '25') {
  const made = await order(as, amountUsd);
  await deliver('checkout.session.completed', stripe.pay(made.id));
  return made;
}

async function statusOf(as: Person, orderId: string) {
  return (await fixture.ask('getOwnOrder', { as, params: { orderId } })).reply.status;
}

describe('a top-up by card', () => {
  it('opens a page to pay on, and credits what was paid', async () => {
    const owner = await fixture.user();
    const made = await order(owner, '25.50');
    expect(made).toMatchObject({ status: 'pending', amountUsd: '25.5', kind: 'top_up' });
    expect(made.checkoutUrl).toMatch(/^https:\/\/checkout\.stripe\.test\//);
    expect(stripe.checkoutOf(made.id)).toMatchObject({ amount_total: 2550, currency: 'usd' });
    expect(await availableOf(fixture, owner)).toBe('0');
    const received = await deliver('checkout.session.completed', stripe.pay(made.id));
    expect(received.json()).toEqual({ received: true });
    expect(await availableOf(fixture, owner)).toBe('25.5');
    const paid = await fixture.ask('getOwnOrder', { as: owner, params: { orderId: made.id } });
    const { name: accountName } = (await fixture.ask('getOwnAccount', { as: owner })).reply;
    expect(paid.reply).toMatchObject({ accountName, status: 'paid', checkoutUrl: null });
    const credits = await fixture.ask('listOwnCredits', { as: owner });
    expect(credits.reply.data).toMatchObject([{ kind: 'top_up', actor: 'stripe' }]);
  });

  it('is credited once when its webhook is delivered 50 times at once', async () => {
    const owner = await fixture.user();
    const made = await order(owner);
    const checkout = stripe.pay(made.id);
    const received = await Promise.all(
      Array.from({ length: 50 }, () => deliver('checkout.session.completed', checkout)),
    );
    expect(new Set(received.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(await availableOf(fixture, owner)).toBe('25');
    const { rows } = await fixture.pool.query('select 1 from credits where account_id = $1', [
      owner.accountId,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('that was paid while no webhook came through is found by asking Stripe', async () => {
    const owner = await fixture.user();
    const made = await order(owner);
    stripe.pay(made.id);
    const params = { orderId: made.id };
    const found = await fixture.ask('reconcileOrder', { as: admin, params });
    expect(found.reply.status).toBe('paid');
    expect(await availableOf(fixture, owner)).toBe('25');
    await deliver('checkout.session.completed', stripe.checkoutOf(made.id));
    expect(await availableOf(fixture, owner)).toBe('25');
  });

  it('expires, and is still credited when it is paid after that', async () => {
    const owner = await fixture.user();
    const made = await order(owner);
    const checkout = stripe.checkoutOf(made.id);
    checkout.status = 'expired';
    await deliver('checkout.session.expired', checkout);
    expect(await statusOf(owner, made.id)).toBe('expired');
    await deliver('checkout.session.async_payment_succeeded', stripe.pay(made.id));
    expect(await statusOf(owner, made.id)).toBe('paid');
    expect(await availableOf(fixture, owner)).toBe('25');
  });

  it('that is repeated with its Idempotency-Key is one order with one page', async () => {
    const owner = await fixture.user();
    const headers = { 'idempotency-key': 'one-top-up' };
    const body = { kind: 'top_up', amountUsd: '10' };
    const first = await fixture.ask('createOrder', { as: owner, headers, body });
    await fixture.pool.query(
      'update idempotency_keys set reply_status = null, reply_sealed = null',
    );
    const second = await fixture.ask('createOrder', { as: owner, headers, body });
    expect(second.reply).toEqual(first.reply);
    const list = await fixture.ask('listOwnOrders', { as: owner });
    expect(list.reply.data).toHaveLength(1);
  });

  it('that is repeated once it is paid says so, though Stripe opens no page for it any more', async () => {
    const owner = await fixture.user();
    const headers = { 'idempotency-key': 'paid-and-not-heard-of' };
    const body = { kind: 'top_up', amountUsd: '10' };
    const { id } = (await fixture.ask('createOrder', { as: owner, headers, body })).reply;
    await deliver('checkout.session.completed', stripe.pay(id));
    await fixture.pool.query(
      'update idempotency_keys set reply_status = null, reply_sealed = null',
    );
    stripe.failWith = 'refusal';
    const again = await fixture.ask('createOrder', { as: owner, headers, body });
    expect(again.reply).toMatchObject({ id, status: 'paid', checkoutUrl: null });
  });
});

describe('a plan by card', () => {
  it('is active once it is paid, and does not touch the balance', async () => {
    const owner = await fixture.user();
    const { groupId } = await makeCatalog(fixture, admin);
    const plan = await makePlan(fixture, admin, { groupId, priceUsd: '19.99' });
    const body = { kind: 'plan', planId: plan.id };
    const made = await fixture.ask('createOrder', { as: owner, body });
    expect(made.reply).toMatchObject({ amountUsd: '19.99', planName: plan.name });
    const checkout = stripe.pay(made.reply.id);
    await Promise.all([1, 2, 3].map(() => deliver('checkout.session.completed', checkout)));
    const { data } = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply;
    expect(data).toMatchObject([{ planId: plan.id, status: 'active', renews: false }]);
    expect(await availableOf(fixture, owner)).toBe('0');
    const journal = await fixture.pool.query(
      'select debit, credit, amount_nano_usd as amount from journal_entries where account_id = $1',
      [owner.accountId],
    );
    expect(journal.rows).toEqual([
      { debit: 'cash', credit: 'plan_revenue', amount: 19_990_000_000 },
    ]);
  });

  it('is delivered as it was ordered, whatever is for sale by the time it is paid', async () => {
    const owner = await fixture.user();
    const { groupId } = await makeCatalog(fixture, admin);
    const { groupId: otherGroupId } = await makeCatalog(fixture, admin);
    const plan = await makePlan(fixture, admin, { groupId, priceUsd: '20', periodDays: 30 });
    const body = { kind: 'plan', planId: plan.id };
    const { id } = (await fixture.ask('createOrder', { as: owner, body })).reply;
    await fixture.ask('updatePlan', {
      as: admin,
      anyVersion: true,
      params: { planId: plan.id },
      body: {
        priceUsd: '5',
        periodDays: 7,
        groupIds: [otherGroupId],
        allowances: [{ window: 'day', limitUsd: '1' }],
      },
    });
    await deliver('checkout.session.completed', stripe.pay(id));
    const [held] = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply.data;
    expect(held?.groups.map((group) => group.id)).toEqual([groupId]);
    expect(held?.windows.map(({ window, limitUsd }) => [window, limitUsd])).toEqual([
      ['5h', '5'],
      ['month', '40'],
    ]);
    expect(Math.round((Date.parse(held?.endsAt ?? '') - Date.now()) / 86_400_000)).toBe(30);
  });

  it('that is refunded whole takes back its own period and no other', async () => {
    const owner = await fixture.user();
    const { groupId } = await makeCatalog(fixture, admin);
    const plan = await makePlan(fixture, admin, { groupId, periodDays: 30 });
    const orders: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const body = { kind: 'plan', planId: plan.id };
      const { id } = (await fixture.ask('createOrder', { as: owner, body })).reply;
      await deliver('checkout.session.completed', stripe.pay(id));
      orders.push(id);
    }
    const daysLeft = async () => {
      const { data } = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply;
      return Math.round((Date.parse(data[0]?.endsAt ?? '') - Date.now()) / 86_400_000);
    };
    expect(await daysLeft()).toBe(60);
    const params = { orderId: orders[0] ?? '' };
    await fixture.ask('refundOrder', { as: admin, params, body: { reason: 'one too many' } });
    expect(await daysLeft()).toBe(30);
  });

  it('that is refunded whole ends', async () => {
    const owner = await fixture.user();
    const { groupId } = await makeCatalog(fixture, admin);
    const plan = await makePlan(fixture, admin, { groupId });
    const body = { kind: 'plan', planId: plan.id };
    const { id: orderId } = (await fixture.ask('createOrder', { as: owner, body })).reply;
    await deliver('checkout.session.completed', stripe.pay(orderId));
    const refund = { reason: 'changed their mind' };
    const params = { orderId };
    expect((await fixture.ask('refundOrder', { as: admin, params, body: refund })).status).toBe(
      201,
    );
    const { data } = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply;
    expect(data[0]?.status).toBe('cancelled');
    expect(Date.parse(data[0]?.endsAt ?? '')).toBeLessThanOrEqual(Date.now());
    expect(await availableOf(fixture, owner)).toBe('0');
  });
});

describe('a refund', () => {
  const reason = 'asked for it';
  const refund = (orderId: string, body: object = {}) =>
    fixture.ask('refundOrder', { as: admin, params: { orderId }, body: { reason, ...body } });

  it('in part and then of the rest takes it from the balance, and is audited', async () => {
    const owner = await fixture.user();
    const { id } = await paidOrder(owner);
    const part = await refund(id, { amountUsd: '10' });
    expect(part.reply).toMatchObject({ status: 'partly_refunded', refundedUsd: '10' });
    expect(await availableOf(fixture, owner)).toBe('15');
    const rest = await refund(id);
    expect(rest.reply).toMatchObject({ status: 'refunded', refundedUsd: '25' });
    expect(await availableOf(fixture, owner)).toBe('0');
    const sent = [...stripe.refunds.values()].filter(
      ({ payment_intent: intent }) => intent === stripe.checkoutOf(id).payment_intent,
    );
    expect(sent.map(({ amount }) => amount)).toEqual([1000, 1500]);
    const log = await fixture.ask('listAuditEntries', { as: admin, query: { subjectId: id } });
    expect(log.reply.data[0]).toMatchObject({ action: 'refundOrder', after: { reason } });
  });

  it('that Stripe refuses is given back', async () => {
    const owner = await fixture.user();
    const { id } = await paidOrder(owner);
    stripe.failWith = 'refusal';
    const refused = await refund(id);
    expect(refused.problem).toMatchObject({ status: 502, code: 'payment_service_failed' });
    expect(refused.problem.detail).toContain('No, says Stripe.');
    expect(await availableOf(fixture, owner)).toBe('25');
    expect(await statusOf(owner, id)).toBe('paid');
  });

  it('whose answer got lost is asked for again, once at Stripe', async () => {
    const owner = await fixture.user();
    const { id } = await paidOrder(owner);
    const { payment_intent: intent } = stripe.checkoutOf(id);
    stripe.failWith = 'outage';
    expect((await refund(id)).reply.status).toBe('refunded');
    const { rows } = await fixture.pool.query<{ id: string; status: string }>(
      'select id, status from order_refunds where order_id = $1',
      [id],
    );
    expect(rows[0]?.status).toBe('pending');
    stripe.failWith = 'nothing';
    await deliver('refund.updated', {
      id: 're_known_later',
      object: 'refund',
      amount: 2500,
      payment_intent: intent,
      status: 'succeeded',
      metadata: { weir_refund_id: rows[0]?.id },
    });
    const after = await fixture.pool.query('select status from order_refunds where order_id = $1', [
      id,
    ]);
    expect(after.rows).toEqual([{ status: 'succeeded' }]);
    expect(await availableOf(fixture, owner)).toBe('0');
  });

  it('that fails later, as the bank says, is given back once', async () => {
    const owner = await fixture.user();
    const { id } = await paidOrder(owner);
    stripe.refundStatus = 'pending';
    await refund(id);
    const sent = [...stripe.refunds.values()].at(-1);
    expect(await availableOf(fixture, owner)).toBe('0');
    const failed = { ...sent, status: 'failed' };
    await Promise.all([1, 2, 3, 4].map(() => deliver('refund.failed', failed)));
    expect(await availableOf(fixture, owner)).toBe('25');
    expect(await statusOf(owner, id)).toBe('paid');
  });

  it('made in Stripe’s dashboard is taken from the balance once', async () => {
    const owner = await fixture.user();
    const { id } = await paidOrder(owner);
    const { payment_intent: intent } = stripe.checkoutOf(id);
    const foreign = {
      id: `re_dashboard_${id}`,
      object: 'refund',
      amount: 500,
      payment_intent: intent,
      status: 'succeeded',
      metadata: {},
    };
    await Promise.all([1, 2, 3, 4, 5].map(() => deliver('refund.created', foreign)));
    expect(await availableOf(fixture, owner)).toBe('20');
    expect(await statusOf(owner, id)).toBe('partly_refunded');
  });
});
