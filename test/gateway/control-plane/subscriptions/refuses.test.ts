import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { availableOf, giveMoney, makeCatalog, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { makePlan } from '../support/plans.ts';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(() => fixture.close());

const NOBODY = '00000000-0000-7000-8000-000000000000';

function buy(as: Person, planId: string) {
  return fixture.ask('buySubscription', { as, body: { planId } });
}

describe('buying is refused', () => {
  it('without the money, and says how much is missing', async () => {
    const owner = await fixture.user();
    await giveMoney(fixture, { admin, to: owner, amountUsd: '9.999999999' });
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    const refused = await buy(owner, plan.id);
    expect(refused.problem).toMatchObject({ status: 402, code: 'insufficient_balance' });
    expect(refused.problem.detail).toContain('9.999999999');
    expect(await availableOf(fixture, owner)).toBe('9.999999999');
  });

  it('of a plan that is unknown or no longer for sale', async () => {
    const owner = await fixture.user();
    expect((await buy(owner, NOBODY)).problem.code).toBe('plan_unavailable');
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    await fixture.ask('updatePlan', {
      as: admin,
      anyVersion: true,
      params: { planId: plan.id },
      body: { status: 'disabled' },
    });
    expect((await buy(owner, plan.id)).problem.code).toBe('plan_unavailable');
  });

  it('to a suspended account', async () => {
    const owner = await fixture.user();
    await giveMoney(fixture, { admin, to: owner, amountUsd: '50' });
    await fixture.ask('updateAccount', {
      as: admin,
      anyVersion: true,
      params: { accountId: owner.accountId },
      body: { status: 'suspended' },
    });
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    expect((await buy(owner, plan.id)).problem.code).toBe('account_suspended');
  });

  it('while the ledger is away, and takes nothing', async () => {
    const away = await createAdminFixture();
    const boss = await away.admin();
    const owner = await away.user();
    await giveMoney(away, { admin: boss, to: owner, amountUsd: '50' });
    const { groupId } = await makeCatalog(away, boss);
    const plan = await makePlan(away, boss, { groupId });
    const unavailable = { code: 'ledger_unavailable', cause: 'away' } as const;
    const hold = vi.spyOn(away.ledger, 'hold').mockResolvedValue(unavailable);
    const body = { planId: plan.id };
    const refused = await away.ask('buySubscription', { as: owner, body });
    expect(refused.problem).toMatchObject({ status: 503, code: 'ledger_unavailable' });
    hold.mockRestore();
    expect(await availableOf(away, owner)).toBe('50');
    await away.close();
  });
});

describe('a subscription is refused', () => {
  it('to whom it does not belong', async () => {
    const owner = await fixture.user();
    const stranger = await fixture.user();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId, priceUsd: '0' });
    const { id } = (await buy(owner, plan.id)).reply;
    const tried = await fixture.ask('updateOwnSubscription', {
      as: stranger,
      params: { subscriptionId: id },
      body: { renews: true },
    });
    expect(tried.problem.code).toBe('not_found');
    const list = await fixture.ask('listOwnSubscriptions', { as: stranger });
    expect(list.reply.data).toEqual([]);
  });

  it('a change once it is over', async () => {
    const owner = await fixture.user();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId, priceUsd: '0' });
    const { id } = (await buy(owner, plan.id)).reply;
    const params = { subscriptionId: id };
    const stop = { status: 'cancelled' };
    await fixture.ask('updateSubscription', { as: admin, anyVersion: true, params, body: stop });
    const renewed = await fixture.ask('updateOwnSubscription', {
      as: owner,
      params,
      body: { renews: true },
    });
    expect(renewed.problem.code).toBe('state_conflict');
    const asking = { as: admin, anyVersion: true, params, body: stop };
    const again = await fixture.ask('updateSubscription', asking);
    expect(again.problem.code).toBe('state_conflict');
  });

  it('an end before its beginning', async () => {
    const owner = await fixture.user();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId, priceUsd: '0' });
    const { id } = (await buy(owner, plan.id)).reply;
    const tried = await fixture.ask('updateSubscription', {
      as: admin,
      anyVersion: true,
      params: { subscriptionId: id },
      body: { endsAt: '2001-01-01T00:00:00Z' },
    });
    expect(tried.problem.code).toBe('invalid_value');
  });

  it('an end that was reckoned from what was shown before a renewal', async () => {
    const owner = await fixture.user();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId, priceUsd: '0' });
    const { id } = (await buy(owner, plan.id)).reply;
    const params = { subscriptionId: id };
    const seen = await fixture.ask('getSubscription', { as: admin, params });
    const headers = { 'if-match': String(seen.headers['etag']) };
    const body = { endsAt: new Date(Date.parse(seen.reply.endsAt) + 60_000).toISOString() };
    const blind = await fixture.ask('updateSubscription', { as: admin, params, body });
    expect(blind.problem.code).toBe('precondition_required');
    const renewed = (await buy(owner, plan.id)).reply;
    expect(Date.parse(renewed.endsAt)).toBeGreaterThan(Date.parse(body.endsAt));
    const late = await fixture.ask('updateSubscription', { as: admin, params, headers, body });
    expect(late.problem.code).toBe('precondition_failed');
    const now = await fixture.ask('getSubscription', { as: admin, params });
    expect(now.reply.endsAt).toBe(renewed.endsAt);
    const again = { 'if-match': String(now.headers['etag']) };
    const done = await fixture.ask('updateSubscription', {
      as: admin,
      params,
      headers: again,
      body,
    });
    expect([done.status, done.reply.endsAt]).toEqual([200, body.endsAt]);
  });

  it('as a gift to nobody, of nothing, or without a reason', async () => {
    const owner = await fixture.user();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    const good = { accountId: owner.accountId, planId: plan.id, reason: 'a gift' };
    for (const body of [
      { ...good, accountId: NOBODY },
      { ...good, planId: NOBODY },
    ]) {
      const tried = await fixture.ask('grantSubscription', { as: admin, body });
      expect(tried.problem.code).toBe('not_found');
    }
    const silent = await fixture.ask('grantSubscription', {
      as: admin,
      body: { ...good, reason: '' },
    });
    expect(silent.status).toBe(400);
  });
});
