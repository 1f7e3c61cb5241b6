import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availableOf, giveMoney, makeCatalog } from '../support/catalog.ts';
import { signedEvent, type FakeStripe } from '../support/fakes/fake-stripe.ts';
import type { AdminFixture, Person } from '../support/fixture.ts';
import { makePlan } from '../support/plans.ts';
import { deliverTo, createStripeFixture, paidOrder } from '../support/fakes/stripe-fixture.ts';

let stripe: FakeStripe;
let fixture: AdminFixture;
let close: () => Promise<void>;
let admin: Person;

beforeAll(async () => {
  ({ stripe, fixture, close } = await createStripeFixture());
  admin = await fixture.admin();
});
afterAll(() => close());

const paid = (as: Person, body?: object) => paidOrder({ fixture, stripe }, as, body);

/** What Stripe tells of the dispute about an order's payment. */
function disputeOf(orderId: string, says: { amount?: number; status?: string } = {}) {
  const amount = says.amount ?? 2500;
  return {
    id: `du_${orderId}`,
    object: 'dispute',
    amount,
    currency: 'usd',
    payment_intent: stripe.checkoutOf(orderId).payment_intent,
    status: says.status ?? 'needs_response',
    balance_transactions: [{ amount: -amount }],
    metadata: {},
  };
}

/** Everything is said three times at once. */
async function say(type: string, dispute: object): Promise<void> {
  const event = signedEvent(`charge.dispute.${type}`, dispute);
  const told = await Promise.all([1, 2, 3].map(() => deliverTo(fixture, event)));
  expect(told.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
}

const orderOf = async (as: Person, orderId: string) =>
  (await fixture.ask('getOwnOrder', { as, params: { orderId } })).reply;

const balanceOf = async (as: Person) => (await fixture.ask('getOwnAccount', { as })).reply.balance;

const movementsOf = async (as: Person) =>
  (await fixture.ask('listOwnCredits', { as })).reply.data.map(
    ({ kind, amountUsd, reason, actor }) => `${kind} ${amountUsd} ${reason} (${actor})`,
  );

const TAKEN = 'chargeback -25 Disputed with the bank of the card (stripe)';
const GIVEN_BACK = 'chargeback 25 The card dispute was won (stripe)';
const PAID = 'top_up 25 Card payment (stripe)';

describe('a payment that its card holder disputes', () => {
  it('leaves the balance once when the bank has taken it, and stays away when it is lost', async () => {
    const owner = await fixture.user();
    const id = await paid(owner);
    await say('created', disputeOf(id));
    expect(await availableOf(fixture, owner)).toBe('25');
    await say('funds_withdrawn', disputeOf(id));
    await say('closed', disputeOf(id, { status: 'lost' }));
    expect(await availableOf(fixture, owner)).toBe('0');
    expect(await orderOf(owner, id)).toMatchObject({
      status: 'refunded',
      refundedUsd: '25',
      chargedBackUsd: '25',
    });
    expect(await movementsOf(owner)).toEqual([TAKEN, PAID]);
    const refund = { as: admin, params: { orderId: id }, body: { reason: 'why' } };
    expect((await fixture.ask('refundOrder', refund)).problem.code).toBe('state_conflict');
  });

  it('comes back once when the dispute is won, and is not taken by what is said late', async () => {
    const owner = await fixture.user();
    const id = await paid(owner);
    await say('funds_withdrawn', disputeOf(id));
    await say('closed', disputeOf(id, { status: 'won' }));
    await say('funds_reinstated', disputeOf(id, { status: 'won' }));
    await say('funds_withdrawn', disputeOf(id));
    expect(await availableOf(fixture, owner)).toBe('25');
    expect(await movementsOf(owner)).toEqual([GIVEN_BACK, TAKEN, PAID]);
    expect(await orderOf(owner, id)).toMatchObject({ status: 'paid', chargedBackUsd: '0' });
  });

  it('moves nothing when it came back before it is said to be taken', async () => {
    const owner = await fixture.user();
    const id = await paid(owner);
    await say('funds_reinstated', disputeOf(id, { status: 'won' }));
    await say('funds_withdrawn', disputeOf(id));
    expect(await movementsOf(owner)).toEqual([PAID]);
    expect(await orderOf(owner, id)).toMatchObject({ status: 'paid', refundedUsd: '0' });
  });

  it('is owed as far as it was spent, and what comes back pays that first', async () => {
    const owner = await fixture.user();
    const id = await paid(owner);
    await giveMoney(fixture, { admin, to: owner, amountUsd: '-20' });
    await say('funds_withdrawn', disputeOf(id));
    expect(await balanceOf(owner)).toMatchObject({ availableUsd: '0', owedUsd: '20' });
    await say('funds_reinstated', disputeOf(id, { status: 'won' }));
    expect(await balanceOf(owner)).toMatchObject({ availableUsd: '5', owedUsd: '0' });
  });

  it('and was refunded in part loses the rest, also when the bank took all and returns the part', async () => {
    const owner = await fixture.user();
    const id = await paid(owner);
    const body = { amountUsd: '10', reason: 'asked for it' };
    await fixture.ask('refundOrder', { as: admin, params: { orderId: id }, body });
    await say('funds_withdrawn', disputeOf(id));
    await say('funds_reinstated', disputeOf(id, { status: 'lost' }));
    expect(await balanceOf(owner)).toMatchObject({ availableUsd: '0', owedUsd: '0' });
    expect(await orderOf(owner, id)).toMatchObject({ refundedUsd: '25', chargedBackUsd: '15' });
  });

  it('while a refund is under way loses all of it, and nothing more when that refund fails', async () => {
    const owner = await fixture.user();
    const id = await paid(owner);
    stripe.refundStatus = 'pending';
    const body = { amountUsd: '10', reason: 'asked for it' };
    await fixture.ask('refundOrder', { as: admin, params: { orderId: id }, body });
    stripe.refundStatus = 'succeeded';
    await say('funds_withdrawn', disputeOf(id));
    expect(await orderOf(owner, id)).toMatchObject({ chargedBackUsd: '25' });
    const refund = [...stripe.refunds.values()].at(-1);
    await deliverTo(fixture, signedEvent('refund.failed', { ...refund, status: 'failed' }));
    expect(await balanceOf(owner)).toMatchObject({ availableUsd: '0', owedUsd: '0' });
    expect(await orderOf(owner, id)).toMatchObject({ refundedUsd: '25', chargedBackUsd: '25' });
  });

  it('leaves the balance also when nothing is said but that it is lost', async () => {
    const owner = await fixture.user();
    const id = await paid(owner);
    await say('closed', { ...disputeOf(id, { status: 'lost' }), balance_transactions: [] });
    expect(await movementsOf(owner)).toEqual([TAKEN, PAID]);
    expect(await orderOf(owner, id)).toMatchObject({ status: 'refunded', chargedBackUsd: '25' });
  });

  it('stays while the bank only inquires', async () => {
    const owner = await fixture.user();
    const id = await paid(owner);
    const inquiry = { ...disputeOf(id, { status: 'warning_closed' }), balance_transactions: [] };
    await say('created', inquiry);
    await say('closed', inquiry);
    expect(await movementsOf(owner)).toEqual([PAID]);
  });

  it('and is of no order here changes nothing', async () => {
    await say('funds_withdrawn', {
      id: 'du_foreign',
      object: 'dispute',
      amount: 2500,
      payment_intent: 'pi_foreign',
      status: 'needs_response',
      balance_transactions: [],
      metadata: {},
    });
    const { rowCount } = await fixture.pool.query(
      `select 1 from order_refunds where stripe_refund_id = 'du_foreign'`,
    );
    expect(rowCount).toBe(0);
  });
});

describe('a plan whose payment is disputed', () => {
  it('ends while the bank has the money, and goes on when the dispute is won', async () => {
    const owner = await fixture.user();
    const { groupId } = await makeCatalog(fixture, admin);
    const plan = await makePlan(fixture, admin, { groupId, priceUsd: '25' });
    const id = await paid(owner, { kind: 'plan', planId: plan.id });
    const stateOf = async () => {
      const { data } = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply;
      return data.map(({ status, endsAt }) => {
        const days = Math.round((Date.parse(endsAt) - Date.now()) / 86_400_000);
        return `${status}, ${String(days)} days`;
      });
    };
    await say('funds_withdrawn', disputeOf(id));
    expect(await stateOf()).toEqual(['cancelled, 0 days']);
    await say('closed', disputeOf(id, { status: 'won' }));
    expect(await stateOf()).toEqual(['active, 30 days']);
    const { rows } = await fixture.pool.query<{ debit: string }>(
      'select debit from journal_entries where account_id = $1 order by id',
      [owner.accountId],
    );
    expect(rows.map(({ debit }) => debit)).toEqual(['cash', 'plan_revenue', 'cash']);
    expect(await movementsOf(owner)).toEqual([]);
  });

  it('loses its period once when a refund of it is under way as well', async () => {
    const owner = await fixture.user();
    const { groupId } = await makeCatalog(fixture, admin);
    const { id: planId } = await makePlan(fixture, admin, { groupId, priceUsd: '25' });
    const id = await paid(owner, { kind: 'plan', planId });
    await paid(owner, { kind: 'plan', planId });
    stripe.refundStatus = 'pending';
    const refund = { as: admin, params: { orderId: id }, body: { reason: 'why' } };
    expect((await fixture.ask('refundOrder', refund)).status).toBe(201);
    stripe.refundStatus = 'succeeded';
    await say('funds_withdrawn', disputeOf(id));
    const { data } = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply;
    expect(data.map(({ status }) => status)).toEqual(['active']);
    const left = Date.parse(data[0]?.endsAt ?? '') - Date.now();
    expect(Math.round(left / 86_400_000)).toBe(30);
  });
});
