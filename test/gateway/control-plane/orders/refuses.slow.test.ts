import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { availableOf, makeCatalog } from '../support/catalog.ts';
import {
  signedEvent,
  STRIPE_KEY,
  WEBHOOK_SECRET,
  type FakeStripe,
} from '../support/fakes/fake-stripe.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { makePlan } from '../support/plans.ts';
import { deliverTo, createStripeFixture } from '../support/fakes/stripe-fixture.ts';

let stripe: FakeStripe;
let fixture: AdminFixture;
let close: () => Promise<void>;
let admin: Person;
let owner: Person;

beforeAll(async () => {
  ({ stripe, fixture, close } = await createStripeFixture());
  admin = await fixture.admin();
  owner = await fixture.user();
});
afterAll(() => close());
beforeEach(() => {
  stripe.failWith = 'nothing';
});

function order(body: object, as = owner) {
  return fixture.ask('createOrder', { as, body: { kind: 'top_up', ...body } });
}

function deliver(event: ReturnType<typeof signedEvent>, at = fixture) {
  return deliverTo(at, event);
}

describe('an order is refused', () => {
  it.each([
    [{}],
    [{ amountUsd: '4.99' }],
    [{ amountUsd: '1000.01' }],
    [{ amountUsd: '10.001' }],
    [{ amountUsd: '-10' }],
    [{ amountUsd: 10 }],
    [{ kind: 'gift', amountUsd: '10' }],
  ])('with %j', async (body) => {
    expect((await order(body)).status).toBe(400);
  });

  it('not for the least and the most that may be topped up', async () => {
    for (const amountUsd of ['5', '1000']) {
      expect((await order({ amountUsd }, await fixture.user())).status).toBe(201);
    }
  });

  it('for a plan that is not for sale, costs nothing, or cannot be paid in whole cents', async () => {
    const { groupId } = await makeCatalog(fixture, admin);
    const free = await makePlan(fixture, admin, { groupId, priceUsd: '0' });
    const plan = await makePlan(fixture, admin, { groupId, priceUsd: '9.999' });
    const buy = (planId?: string) =>
      order({ kind: 'plan', ...(planId === undefined ? {} : { planId }) });
    expect((await buy()).problem.code).toBe('plan_unavailable');
    expect((await buy('00000000-0000-7000-8000-000000000000')).problem.code).toBe(
      'plan_unavailable',
    );
    expect((await buy(free.id)).problem.code).toBe('plan_unavailable');
    expect((await buy(plan.id)).problem.code).toBe('plan_unavailable');
    await fixture.ask('updatePlan', {
      as: admin,
      anyVersion: true,
      params: { planId: plan.id },
      body: { priceUsd: '10', status: 'disabled' },
    });
    expect((await buy(plan.id)).problem.code).toBe('plan_unavailable');
  });

  it('in clear words where card payments are not configured', async () => {
    const bare = await createAdminFixture();
    const person = await bare.user();
    const body = { kind: 'top_up', amountUsd: '10' };
    const refused = await bare.ask('createOrder', { as: person, body });
    expect(refused.problem).toMatchObject({ status: 501, code: 'card_payments_unavailable' });
    expect((await bare.ask('getPublicSettings')).reply.cardPayments).toBe(false);
    await bare.close();
  });

  it('when Stripe does not answer, and may be repeated with the same key', async () => {
    const headers = { 'idempotency-key': 'stripe-was-away' };
    const body = { kind: 'top_up', amountUsd: '10' };
    stripe.failWith = 'refusal';
    const refused = await fixture.ask('createOrder', { as: owner, headers, body });
    expect(refused.problem).toMatchObject({ status: 502, code: 'payment_service_failed' });
    stripe.failWith = 'nothing';
    const again = await fixture.ask('createOrder', { as: owner, headers, body });
    expect(again.reply.checkoutUrl).not.toBeNull();
  });

  it('when ten others wait for their payment, until one is finished; a repeat is no other', async () => {
    const person = await fixture.user();
    const headers = { 'idempotency-key': 'one-of-the-ten' };
    const body = { kind: 'top_up', amountUsd: '10' };
    const first = await fixture.ask('createOrder', { as: person, headers, body });
    const others = await Promise.all(
      Array.from({ length: 11 }, () => order({ amountUsd: '10' }, person)),
    );
    const refused = others.filter(({ status }) => status !== 201);
    expect(refused.map(({ problem }) => problem.code)).toEqual(['limit_reached', 'limit_reached']);
    await fixture.pool.query(
      'update idempotency_keys set reply_status = null, reply_sealed = null',
    );
    const again = await fixture.ask('createOrder', { as: person, headers, body });
    expect(again.reply.id).toBe(first.reply.id);
    const paid = signedEvent('checkout.session.completed', stripe.pay(first.reply.id));
    await deliver(paid);
    expect((await order({ amountUsd: '10' }, person)).status).toBe(201);
    expect((await order({ amountUsd: '10' }, person)).problem.code).toBe('limit_reached');
  });

  it('to whom it does not belong', async () => {
    const made = (await order({ amountUsd: '10' })).reply;
    const stranger = await fixture.user();
    const params = { orderId: made.id };
    const tried = await fixture.ask('getOwnOrder', { as: stranger, params });
    expect(tried.problem.code).toBe('not_found');
  });
});

describe('a webhook is refused', () => {
  const unchanged = async (code: number, told: object, orderId: string) => {
    expect(told).toMatchObject({ code: 'webhook_refused' });
    expect(code).toBe(400);
    const params = { orderId };
    const { status } = (await fixture.ask('getOwnOrder', { as: owner, params })).reply;
    expect(status).toBe('pending');
    expect(await availableOf(fixture, owner)).toBe('0');
  };

  it('when it is forged', async () => {
    const made = (await order({ amountUsd: '10' })).reply;
    const checkout = stripe.pay(made.id);
    const type = 'checkout.session.completed';
    const genuine = signedEvent(type, checkout);
    const forgeries = [
      signedEvent(type, checkout, { secret: 'whsec_of_someone_else' }),
      signedEvent(type, checkout, { secret: '' }),
      {
        ...genuine,
        payload: genuine.payload.replace('"amount_total":1000', '"amount_total":9000'),
      },
      { ...genuine, payload: ` ${genuine.payload}` },
      { payload: genuine.payload, headers: { 'content-type': 'application/json' } },
      {
        payload: genuine.payload,
        headers: { ...genuine.headers, 'stripe-signature': 't=1,v1=00' },
      },
    ];
    for (const forged of forgeries) {
      const refused = await deliver(forged);
      await unchanged(refused.statusCode, refused.json(), made.id);
    }
  });

  it('when it is stale', async () => {
    const made = (await order({ amountUsd: '10' })).reply;
    const at = Date.now() - 301_000;
    const stale = signedEvent('checkout.session.completed', stripe.pay(made.id), { at });
    const refused = await deliver(stale);
    await unchanged(refused.statusCode, refused.json(), made.id);
  });

  it.each([[null], [''], ['   ']])('when the secret is %j, with any signature', async (secret) => {
    const open = await createAdminFixture({
      stripeAddress: stripe.address,
      config: { stripeSecretKey: STRIPE_KEY, stripeWebhookSecret: secret },
    });
    const person = await open.user();
    const body = { kind: 'top_up', amountUsd: '10' };
    const made = (await open.ask('createOrder', { as: person, body })).reply;
    for (const signer of ['', '   ', WEBHOOK_SECRET, 'null']) {
      const event = signedEvent('checkout.session.completed', stripe.pay(made.id), {
        secret: signer,
      });
      const refused = await deliver(event, open);
      expect(refused.json()).toMatchObject({ status: 400, code: 'webhook_refused' });
    }
    expect(await availableOf(open, person)).toBe('0');
    await open.close();
  });
});

describe('a genuine webhook credits nothing', () => {
  it.each([
    ['another amount', { amount_total: 999 }],
    ['another currency', { currency: 'eur' }],
    ['another checkout', { id: 'cs_of_another_order' }],
  ])('when it tells of %s, and the order is held for a person', async (_what, change) => {
    const person = await fixture.user();
    const made = (await order({ amountUsd: '10' }, person)).reply;
    const paid = { ...stripe.pay(made.id), ...change };
    await deliver(signedEvent('checkout.session.completed', paid));
    expect(await availableOf(fixture, person)).toBe('0');
    const params = { orderId: made.id };
    const held = await fixture.ask('getOwnOrder', { as: person, params });
    expect(held.reply.status).toBe('disputed');
    await deliver(signedEvent('checkout.session.completed', stripe.pay(made.id)));
    expect(await availableOf(fixture, person)).toBe('0');
  });

  it('when the checkout is not paid, or of no order of ours', async () => {
    const made = (await order({ amountUsd: '10' })).reply;
    const unpaid = { ...stripe.checkoutOf(made.id), status: 'complete' };
    await deliver(signedEvent('checkout.session.completed', unpaid));
    for (const reference of [null, 'nonsense', '00000000-0000-7000-8000-000000000000']) {
      const foreign = { ...stripe.pay(made.id), client_reference_id: reference };
      const received = await deliver(signedEvent('checkout.session.completed', foreign));
      expect(received.statusCode).toBe(200);
    }
    expect(await availableOf(fixture, owner)).toBe('0');
  });
});

describe('a refund is refused', () => {
  it('for more than is left, in no whole cents, or of what was not paid', async () => {
    const person = await fixture.user();
    const made = (await order({ amountUsd: '10' }, person)).reply;
    const params = { orderId: made.id };
    const refund = (body: object) =>
      fixture.ask('refundOrder', { as: admin, params, body: { reason: 'why', ...body } });
    expect((await refund({})).problem.code).toBe('state_conflict');
    await deliver(signedEvent('checkout.session.completed', stripe.pay(made.id)));
    for (const amountUsd of ['10.01', '0', '0.001']) {
      expect((await refund({ amountUsd })).problem.code).toBe('invalid_value');
    }
    expect((await refund({ reason: '' })).status).toBe(400);
    expect(await availableOf(fixture, person)).toBe('10');
  });

  it('twice at once beyond what is left', async () => {
    const person = await fixture.user();
    const made = (await order({ amountUsd: '10' }, person)).reply;
    await deliver(signedEvent('checkout.session.completed', stripe.pay(made.id)));
    const params = { orderId: made.id };
    const body = { amountUsd: '6', reason: 'why' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => fixture.ask('refundOrder', { as: admin, params, body })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
    expect(await availableOf(fixture, person)).toBe('4');
  });
});
