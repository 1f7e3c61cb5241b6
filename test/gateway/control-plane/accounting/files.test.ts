import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeStripe } from '../support/fakes/fake-stripe.ts';
import type { AdminFixture, Person } from '../support/fixture.ts';
import { createStripeFixture, paidOrder } from '../support/fakes/stripe-fixture.ts';

let stripe: FakeStripe;
let fixture: AdminFixture;
let close: () => Promise<void>;
let admin: Person;
let owner: Person;
let other: Person;
let orderId: string;

const HOSTILE = '=HYPERLINK("http://203.0.113.1","pay")';

beforeAll(async () => {
  ({ stripe, fixture, close } = await createStripeFixture());
  admin = await fixture.admin();
  owner = await fixture.user();
  other = await fixture.user();
  await fixture.ask('updateOwnAccount', { as: owner, anyVersion: true, body: { name: HOSTILE } });
  orderId = await paidOrder({ fixture, stripe }, owner);
  await paidOrder({ fixture, stripe }, other);
  const open = { kind: 'top_up', amountUsd: '10' };
  await fixture.ask('createOrder', { as: other, body: open });
  const credit = { amountUsd: '1.5', reason: '@SUM(A1:A9) for you' };
  const params = { accountId: owner.accountId };
  await fixture.ask('createCredit', { as: admin, params, body: credit });
});
afterAll(() => close());

async function linesOf(route: 'exportOrders' | 'exportCredits', query: object = {}) {
  const file = await fixture.ask(route, { as: admin, query });
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  return file.text.trim().split('\r\n').slice(1);
}

describe('orders as a file', () => {
  it('are all there, or those of the filters of the list', async () => {
    expect(await linesOf('exportOrders')).toHaveLength(3);
    expect(await linesOf('exportOrders', { status: 'paid' })).toHaveLength(2);
    expect(await linesOf('exportOrders', { status: 'pending' })).toHaveLength(1);
    const [line, ...rest] = await linesOf('exportOrders', { accountId: owner.accountId });
    expect(rest).toEqual([]);
    expect(line).toContain(`${orderId},`);
    expect(line).toContain(',top_up,,25,0,0,paid,pi_');
  });

  it('are those that were paid in a period', async () => {
    const [past, soon] = [-1, 1].map((hours) =>
      new Date(Date.now() + hours * 3_600_000).toISOString(),
    );
    expect(await linesOf('exportOrders', { paidFrom: past, paidTo: soon })).toHaveLength(2);
    expect(await linesOf('exportOrders', { paidFrom: soon })).toEqual([]);
    const backwards = { paidFrom: soon ?? '', paidTo: past ?? '' };
    const refused = await fixture.ask('exportOrders', { as: admin, query: backwards });
    expect(refused.problem.code).toBe('invalid_value');
  });

  it('have no cell that a spreadsheet runs', async () => {
    const [line] = await linesOf('exportOrders', { accountId: owner.accountId });
    expect(line).toContain(`,"'=HYPERLINK(""http`);
  });
});

describe('credits as a file', () => {
  it('are all there, or those of the filters of the list', async () => {
    expect(await linesOf('exportCredits')).toHaveLength(3);
    expect(await linesOf('exportCredits', { kind: 'top_up' })).toHaveLength(2);
    const lines = await linesOf('exportCredits', {
      accountId: owner.accountId,
      kind: 'adjustment',
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`,adjustment,1.5,'@SUM(A1:A9) for you,${admin.userId}`);
  });

  it('come whole when they are more than one page', async () => {
    await fixture.pool.query(
      `select add_credit('many:' || n, $1, 1000000, 'adjustment', 'one of many', 'system') from generate_series(1, 1200) n`,
      [other.accountId],
    );
    const lines = await linesOf('exportCredits', { accountId: other.accountId });
    expect(new Set(lines).size).toBe(1_201);
  });
});

describe('a query that the database refuses', () => {
  const oddTime = '2026-11-01T00:00:00+23:59';

  it.each([
    ['exportAuditEntries', { subject: '\0' }],
    ['exportAuditEntries', { from: oddTime }],
    ['exportOrders', { paidFrom: oddTime }],
    ['exportCredits', { from: oddTime }],
    ['exportUsage', { from: oddTime }],
    ['exportUsage', { model: '\0' }],
  ] as const)('is refused by %s with %j, in place of half a file', async (route, query) => {
    const refused = await fixture.ask(route, { as: admin, query });
    expect(refused).toMatchObject({ status: 400, problem: { code: 'invalid_value' } });
    expect(refused.headers['content-disposition']).toBeUndefined();
  });
});
