import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TEST_SECRETS } from '../../../support/seed.ts';
import { verifyKey } from '../../../../gateway/data-plane/authentication/verify-key.ts';
import { payerOf } from '../../../support/ledger/payer.ts';
import { holdOf, settleOf, USD } from '../../ledger/support/fixtures.ts';
import {
  availableOf,
  giveMoney,
  makeCatalog,
  makeKey,
  makeRichUser,
  type Catalog,
} from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { buyPlan, makePlan, subscriptionOf } from '../support/plans.ts';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(() => fixture.close());

const rich = (amountUsd = '100') => makeRichUser(fixture, { admin, amountUsd });
const buy = (as: Person, planId: string, body?: object) => buyPlan(fixture, as, planId, body);

describe('buying a plan from the balance', () => {
  it('takes the price, starts the plan and shows its windows', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId, priceUsd: '12.5' });
    const bought = await buy(owner, plan.id, { renews: true });
    const { name: accountName } = (await fixture.ask('getOwnAccount', { as: owner })).reply;
    expect(bought.reply).toMatchObject({
      accountName,
      planId: plan.id,
      status: 'active',
      renews: true,
    });
    expect(bought.reply.windows).toMatchObject([
      { window: '5h', limitUsd: '5', usedUsd: '0', remainingUsd: '5' },
      { window: 'month', limitUsd: '40', usedUsd: '0', remainingUsd: '40' },
    ]);
    const resetsIn = Date.parse(bought.reply.windows[0]?.resetsAt ?? '') - Date.now();
    expect(Math.round(resetsIn / 3_600_000)).toBe(5);
    expect(await availableOf(fixture, owner)).toBe('87.5');
    const { balance } = (await fixture.ask('getOwnAccount', { as: owner })).reply;
    expect(balance).toMatchObject({ heldUsd: '0', owedUsd: '0', requestsInFlight: 0 });
    const credits = await fixture.ask('listOwnCredits', {
      as: owner,
      query: { kind: 'plan_purchase' },
    });
    expect(credits.reply.data).toMatchObject([{ amountUsd: '-12.5', reason: plan.name }]);
  });

  it('for nothing when it costs nothing', async () => {
    const owner = await fixture.user();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId, priceUsd: '0' });
    expect((await buy(owner, plan.id)).status).toBe(201);
  });

  it('again prolongs it', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId, periodDays: 10 });
    const first = (await buy(owner, plan.id)).reply;
    const second = (await buy(owner, plan.id)).reply;
    expect(second.id).toBe(first.id);
    expect(second.startedAt).toBe(first.startedAt);
    expect(Date.parse(second.endsAt) - Date.parse(first.endsAt)).toBe(10 * 86_400_000);
    expect(await availableOf(fixture, owner)).toBe('80');
  });

  it.each([
    ['keeps its terms while it runs', '5 days', ['5h 5', 'month 40']],
    ['takes the terms for sale when nothing is left of it', '-1 minute', ['day 7']],
  ])('again %s', async (_what, left, windows) => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    const { id } = (await buy(owner, plan.id, { renews: true })).reply;
    const end = 'update subscriptions set ends_at = now() + $2::interval where id = $1';
    await fixture.pool.query(end, [id, left]);
    await fixture.ask('updatePlan', {
      as: admin,
      anyVersion: true,
      params: { planId: plan.id },
      body: { allowances: [{ window: 'day', limitUsd: '7' }] },
    });
    const again = (await buy(owner, plan.id)).reply;
    expect(again.id).toBe(id);
    expect(again.windows.map(({ window, limitUsd }) => `${window} ${limitUsd}`)).toEqual(windows);
  });

  it.each([true, false])('again leaves its renewal as it is: %s', async (renews) => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    await buy(owner, plan.id, { renews });
    expect((await buy(owner, plan.id)).reply.renews).toBe(renews);
    expect((await buy(owner, plan.id, { renews: !renews })).reply.renews).toBe(!renews);
  });

  it('does not renew it unless that is asked for', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    expect((await buy(owner, plan.id)).reply.renews).toBe(false);
  });

  it('many times at once spends no more than there is', async () => {
    const owner = await rich('35');
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId, periodDays: 10 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => buy(owner, plan.id)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer.problem).toMatchObject({ status: 402, code: 'insufficient_balance' });
    }
    const { balance } = (await fixture.ask('getOwnAccount', { as: owner })).reply;
    expect(balance).toMatchObject({ availableUsd: '5', heldUsd: '0', owedUsd: '0' });
    const { data } = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply;
    expect(data).toHaveLength(1);
  });

  it('counts the price once at every moment, and leaves the rest to others', async () => {
    const owner = await rich('20');
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    // The other purchase comes when the first one's credit is applied and nothing has been released
    // yet.
    const { ledger } = fixture;
    const release = ledger.release.bind(ledger);
    let other: Promise<{ readonly status: number }> | undefined;
    const spy = vi.spyOn(ledger, 'release').mockImplementationOnce(async (request) => {
      other = buy(owner, plan.id);
      await other;
      return release(request);
    });
    expect((await buy(owner, plan.id)).status).toBe(201);
    spy.mockRestore();
    expect((await other)?.status).toBe(201);
    expect(await availableOf(fixture, owner)).toBe('0');
  });

  it('once for one Idempotency-Key, also when the answer was lost', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    const headers = { 'idempotency-key': 'one-purchase' };
    const body = { planId: plan.id };
    const first = await fixture.ask('buySubscription', { as: owner, headers, body });
    await fixture.pool.query(
      'update idempotency_keys set reply_status = null, reply_sealed = null',
    );
    const second = await fixture.ask('buySubscription', { as: owner, headers, body });
    expect(second.reply.endsAt).toBe(first.reply.endsAt);
    expect(await availableOf(fixture, owner)).toBe('90');
    await fixture.pool.query(
      'update idempotency_keys set reply_status = null, reply_sealed = null',
    );
    await fixture.pool.query(`update plans set status = 'disabled' where id = $1`, [plan.id]);
    const third = await fixture.ask('buySubscription', { as: owner, headers, body });
    expect(third.reply.id).toBe(first.reply.id);
  });
});

describe('what was used of a subscription', () => {
  it('is shown in every window in which the ledger counts it', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    const key = await makeKey(fixture, owner, catalog.groupId);
    await buy(owner, plan.id);
    const row = await verifyKey(fixture.pool, TEST_SECRETS, key.value);
    const payer = payerOf({
      account: { id: owner.accountId },
      key: { id: key.id },
      group: { id: catalog.groupId },
      subscriptions: row?.subscriptions ?? [],
    });
    const hold = holdOf(payer);
    expect(await fixture.ledger.hold(hold)).toMatchObject({ code: 'held' });
    expect(await fixture.ledger.settle(settleOf(hold, USD))).toMatchObject({
      code: 'settled',
      subscriptionNanoUsd: USD,
    });
    expect((await subscriptionOf(fixture, owner))?.windows).toMatchObject([
      { window: '5h', usedUsd: '1', remainingUsd: '4' },
      { window: 'month', usedUsd: '1', remainingUsd: '39' },
    ]);
  });

  it('stays in its windows when a start from before is rounded: the ledger was told the same', async () => {
    const { rows } = await fixture.pool.query(
      `select started_at from generate_series(0, 2000) as step(us)
       cross join lateral (select timestamptz '2026-11-23 01:02:03+00' + us * interval '1 microsecond') as s (started_at)
       where to_ms(started_at::timestamptz(3)) <> (extract(epoch from started_at) * 1000)::bigint`,
    );
    expect(rows).toEqual([]);
  });
});

describe('a purchase that is cut off', () => {
  it('while the database fails takes nothing and frees what it held; the repeat buys', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    const headers = { 'idempotency-key': 'cut-off-by-the-database' };
    const body = { planId: plan.id };
    await fixture.pool.query(
      `alter table subscription_periods add constraint broken check (account_id <> '${owner.accountId}') not valid`,
    );
    const failed = await fixture.ask('buySubscription', { as: owner, headers, body });
    await fixture.pool.query('alter table subscription_periods drop constraint broken');
    expect(failed.status).toBe(500);
    const { balance } = (await fixture.ask('getOwnAccount', { as: owner })).reply;
    expect(balance).toMatchObject({ availableUsd: '100', heldUsd: '0' });
    const again = await fixture.ask('buySubscription', { as: owner, headers, body });
    expect(again.status).toBe(201);
    expect(await availableOf(fixture, owner)).toBe('90');
  });

  it('after the transaction is healed by the change feed, which ends the hold', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    // As if the process had died right after the commit.
    const dead = { code: 'ledger_unavailable', cause: 'dead' } as const;
    const credit = vi.spyOn(fixture.ledger, 'credit').mockResolvedValue(dead);
    const release = vi.spyOn(fixture.ledger, 'release').mockResolvedValue(dead);
    expect((await buy(owner, plan.id)).status).toBe(201);
    credit.mockRestore();
    release.mockRestore();
    const { balance } = (await fixture.ask('getOwnAccount', { as: owner })).reply;
    expect(balance).toMatchObject({ availableUsd: '90', heldUsd: '10' });
    await giveMoney(fixture, { admin, to: owner, amountUsd: '1' });
    const healed = (await fixture.ask('getOwnAccount', { as: owner })).reply.balance;
    expect(healed).toMatchObject({ availableUsd: '91', heldUsd: '0', owedUsd: '0' });
  });
});

describe('a subscription', () => {
  it('is cancelled at the end of the period, and that is taken back', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    const { id } = (await buy(owner, plan.id, { renews: true })).reply;
    const set = (renews: boolean) =>
      fixture.ask('updateOwnSubscription', {
        as: owner,
        params: { subscriptionId: id },
        body: { renews },
      });
    expect((await set(false)).reply).toMatchObject({ renews: false, status: 'active' });
    expect((await set(true)).reply.renews).toBe(true);
  });

  it('is given, prolonged and stopped by an administrator', async () => {
    const owner = await fixture.user();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    const body = { accountId: owner.accountId, planId: plan.id, days: 3, reason: 'an apology' };
    const { id } = (await fixture.ask('grantSubscription', { as: admin, body })).reply;
    const change = (change_: object) =>
      fixture.ask('updateSubscription', {
        as: admin,
        anyVersion: true,
        params: { subscriptionId: id },
        body: change_,
      });
    const endsAt = '2100-01-01T00:00:00.000Z';
    expect((await change({ endsAt })).reply.endsAt).toBe(endsAt);
    const stopped = (await change({ status: 'cancelled' })).reply;
    expect(stopped.status).toBe('cancelled');
    expect(Date.parse(stopped.endsAt)).toBeLessThanOrEqual(Date.now() + 1_000);
    const log = await fixture.ask('listAuditEntries', { as: admin, query: { subjectId: id } });
    expect(log.reply.data.map(({ action }) => action)).toEqual([
      'updateSubscription',
      'updateSubscription',
      'grantSubscription',
    ]);
  });
});
