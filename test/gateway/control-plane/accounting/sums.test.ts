/** The sums of a month against every record, credit and journal entry, to the nanodollar. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountingRow, AccountingView } from '@weir/shared/money/accounting';
import { nanoUsdFromDecimal } from '@weir/shared/money/money';
import { sumMargins } from '../../../../gateway/control-plane/margins/margin-sums.ts';
import { giveMoney, makeCatalog, makeKey } from '../support/catalog.ts';
import type { FakeStripe } from '../support/fakes/fake-stripe.ts';
import type { AdminFixture, Person } from '../support/fixture.ts';
import { makePlan } from '../support/plans.ts';
import { createStripeFixture, paidOrder } from '../support/fakes/stripe-fixture.ts';
import { insertUsage } from '../support/usage.ts';

const HOUR_MS = 3_600_000;
const CUSTOMERS = 3;

let stripe: FakeStripe;
let fixture: AdminFixture;
let close: () => Promise<void>;
let admin: Person;
const customers: Person[] = [];

/** Whole numbers from a seed, the same in each run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
}

/** Usage of each hour of the last 70 days, so that both months have edges within days of UTC. */
async function enterUsage(groupId: string): Promise<void> {
  const next = numbersFrom(7);
  const nowMs = Date.now();
  const keys = await Promise.all(customers.map((as) => makeKey(fixture, as, groupId)));
  const records = customers.flatMap(({ accountId }, at) =>
    Array.from({ length: 70 * 8 }, () => {
      const costNanoUsd = next() % 1_000_003;
      const uncollectedNanoUsd = next() % 5 === 0 ? costNanoUsd % 1_000 : 0;
      return {
        accountId,
        keyId: keys[at]?.id ?? '',
        groupId,
        model: 'm',
        createdAtMs: nowMs - (next() % (70 * 24)) * HOUR_MS - (next() % HOUR_MS),
        costNanoUsd,
        balanceNanoUsd: costNanoUsd - uncollectedNanoUsd,
        uncollectedNanoUsd,
        ...(next() % 3 === 0 ? {} : { upstreamCostNanoUsd: next() % 900_001 }),
      };
    }),
  );
  const half = records.length / 2;
  await insertUsage(fixture.pool, records.slice(0, half));
  // Some of the sums are of whole days, some wait to be added to them.
  await sumMargins({ pool: fixture.pool });
  await insertUsage(fixture.pool, records.slice(half));
  const lost = records.slice(0, 5).map((record) => ({ ...record, createdAtMs: nowMs - HOUR_MS }));
  await insertUsage(fixture.pool, lost, true);
}

/** Credits are made now; a part of them moves into the month before. */
async function moveSome(): Promise<void> {
  await fixture.pool.query('alter table credits disable trigger user');
  await fixture.pool.query('alter table journal_entries disable trigger user');
  await fixture.pool.query(
    `update credits set created_at = created_at - interval '31 days' where sequence % 3 = 0 and kind <> 'recovered_usage'`,
  );
  await fixture.pool.query('alter table credits enable trigger user');
  await fixture.pool.query('alter table journal_entries enable trigger user');
}

beforeAll(async () => {
  ({ stripe, fixture, close } = await createStripeFixture());
  admin = await fixture.admin();
  for (let made = 0; made < CUSTOMERS; made += 1) customers.push(await fixture.user());
  const { groupId } = await makeCatalog(fixture, admin);
  const plan = await makePlan(fixture, admin, { groupId });
  const give = (to: Person, kind: 'adjustment' | 'top_up' | 'refund', amountUsd: string) =>
    fixture.ask('createCredit', {
      as: admin,
      params: { accountId: to.accountId },
      body: { amountUsd, kind, reason: 'a test' },
    });
  for (const to of customers) {
    await giveMoney(fixture, { admin, to, amountUsd: '100.000000001' });
    await give(to, 'top_up', '12.5');
    await give(to, 'adjustment', '-0.000000007');
    await give(to, 'refund', '-1.25');
    const orderId = await paidOrder({ fixture, stripe }, to);
    const body = { amountUsd: '5', reason: 'asked for it' };
    await fixture.ask('refundOrder', { as: admin, params: { orderId }, body });
    await fixture.ask('buySubscription', { as: to, body: { planId: plan.id, renews: false } });
    const planOrder = await paidOrder({ fixture, stripe }, to, { kind: 'plan', planId: plan.id });
    if (to === customers[0]) {
      const whole = { reason: 'not wanted' };
      await fixture.ask('refundOrder', { as: admin, params: { orderId: planOrder }, body: whole });
    }
  }
  await enterUsage(groupId);
  await moveSome();
}, 120_000);
afterAll(() => close());

async function setZone(timeZone: string): Promise<void> {
  const body = { timeZone };
  await fixture.ask('updateAccountingSettings', { as: admin, anyVersion: true, body });
}

function nano(usd: string): bigint {
  return BigInt(nanoUsdFromDecimal(usd) ?? NaN);
}

/** The same from every row that there is. */
async function independent(accountId: string, { from, to }: AccountingView) {
  const one = async (text: string): Promise<bigint> => {
    const { rows } = await fixture.pool.query<{ sum: string | null }>(text, [accountId, from, to]);
    return BigInt(rows[0]?.sum ?? 0);
  };
  const records = (sum: string, where = 'true') =>
    one(
      `select sum(${sum})::text as sum from usage_records where account_id = $1 and created_at >= $2 and created_at < $3 and ${where}`,
    );
  const credits = (kinds: string) =>
    one(
      `select sum(amount_nano_usd)::text as sum from credits where account_id = $1 and created_at >= $2 and created_at < $3 and kind in (${kinds})`,
    );
  const journal = (debit: string, credit: string) =>
    one(
      `select sum(amount_nano_usd)::text as sum from journal_entries where account_id = $1 and at >= $2 and at < $3 and debit = '${debit}' and credit = '${credit}'`,
    );
  const balanceAt = async (at: 2 | 3): Promise<bigint> =>
    one(
      `select ((select coalesce(sum(amount_nano_usd), 0) from credits where account_id = $1 and created_at < $${String(at)}::timestamptz and kind <> 'recovered_usage')
         - (select coalesce(sum(balance_nano_usd), 0) from usage_records where account_id = $1 and created_at < $${String(at)}::timestamptz))::text as sum
       from (select $2::timestamptz, $3::timestamptz) period`,
    );
  return {
    requests: await records('1'),
    usageUsd: await records('cost_nano_usd'),
    fromBalanceUsd: await records('balance_nano_usd'),
    fromSubscriptionUsd: await records('subscription_nano_usd'),
    uncollectedUsd: await records('uncollected_nano_usd'),
    upstreamCostUsd: await records('upstream_cost_nano_usd'),
    unknownCostRequests: await records('1', 'upstream_cost_nano_usd is null'),
    marginUsd: await records(
      'balance_nano_usd + subscription_nano_usd - upstream_cost_nano_usd',
      'upstream_cost_nano_usd is not null',
    ),
    boughtUsd: await credits(`'top_up'`),
    redeemedUsd: await credits(`'redemption'`),
    givenUsd: await credits(`'adjustment', 'bootstrap'`),
    refundedUsd: -(await credits(`'refund', 'chargeback'`)),
    plansFromBalanceUsd: -(await credits(`'plan_purchase'`)),
    plansByCardUsd: await journal('cash', 'plan_revenue'),
    plansRefundedUsd: await journal('plan_revenue', 'cash'),
    openingUsd: await balanceAt(2),
    closingUsd: await balanceAt(3),
  };
}

function sumsOf(row: Omit<AccountingRow, 'accountId' | 'accountName'>) {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => name !== 'accountId' && name !== 'accountName')
      .map(([name, value]) => [name, typeof value === 'number' ? BigInt(value) : nano(value)]),
  );
}

function lastMonth(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  const [year = 0, month = 0] = parts.format(new Date()).split('-').map(Number);
  return new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 7);
}

describe.each(['UTC', 'Asia/Shanghai', 'America/St_Johns'])('in the time zone %s', (timeZone) => {
  it.each(['this month', 'last month'])(
    'the sums of %s are those of the records',
    async (which) => {
      await setZone(timeZone);
      const query = which === 'this month' ? {} : { month: lastMonth(timeZone) };
      const view = (await fixture.ask('getAccounting', { as: admin, query })).reply;
      expect(view.timeZone).toBe(timeZone);
      expect(view.data.length).toBeGreaterThanOrEqual(CUSTOMERS);
      let total: Record<string, bigint> = {};
      for (const { accountId } of view.data) {
        const expected = await independent(accountId, view);
        const row = view.data.find((one) => one.accountId === accountId);
        expect(row === undefined ? undefined : sumsOf(row)).toEqual(expected);
        total = Object.fromEntries(
          Object.entries(expected).map(([name, sum]) => [name, (total[name] ?? 0n) + sum]),
        );
      }
      expect(sumsOf(view.total)).toEqual(total);
      const file = await fixture.ask('exportAccounting', { as: admin, query });
      const lines = file.text.trim().split('\r\n');
      expect(lines).toHaveLength(view.customers + 1);
      expect(lines[0]).toContain('month,time_zone,account_id,account_name,requests,usage_usd');
      for (const row of view.data) {
        const line = lines.find((one) => one.includes(row.accountId));
        expect(line).toContain(`${view.month},${timeZone},`);
        expect(line).toContain(`,${row.usageUsd},${row.fromBalanceUsd},`);
        expect(line?.endsWith(`,${row.openingUsd},${row.closingUsd}`)).toBe(true);
      }
    },
  );
});

it('a balance that closes a month opens the next one', async () => {
  await setZone('Asia/Shanghai');
  const before = (
    await fixture.ask('getAccounting', { as: admin, query: { month: lastMonth('Asia/Shanghai') } })
  ).reply;
  const now = (await fixture.ask('getAccounting', { as: admin })).reply;
  expect(now.total.openingUsd).toBe(before.total.closingUsd);
  expect(nano(now.total.openingUsd)).not.toBe(0n);
});

it('a month whose first hours have no records any more is refused, and that of UTC is not', async () => {
  await fixture.ask('updateSettings', {
    as: admin,
    anyVersion: true,
    body: { usageRetentionMonths: 1 },
  });
  await setZone('Asia/Shanghai');
  const query = { month: lastMonth('Asia/Shanghai') };
  const refused = await fixture.ask('getAccounting', { as: admin, query });
  expect(refused.problem).toMatchObject({ code: 'state_conflict' });
  await setZone('UTC');
  expect((await fixture.ask('getAccounting', { as: admin, query })).status).toBe(200);
});

it('a month that has not begun is refused', async () => {
  const refused = await fixture.ask('getAccounting', { as: admin, query: { month: '2999-01' } });
  expect(refused.problem).toMatchObject({ status: 404, code: 'not_found' });
});
