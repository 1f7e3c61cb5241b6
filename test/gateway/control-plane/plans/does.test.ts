import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { giveMoney, makeCatalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { makePlan } from '../support/plans.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

describe('a plan', () => {
  it('is made, changed, listed for sale and deleted', async () => {
    const { groupId } = await makeCatalog(fixture, admin);
    const plan = await makePlan(fixture, admin, { groupId, priceUsd: '19.99', periodDays: 7 });
    expect(plan).toMatchObject({
      priceUsd: '19.99',
      periodDays: 7,
      groups: [{ id: groupId }],
      allowances: [
        { window: '5h', limitUsd: '5' },
        { window: 'month', limitUsd: '40' },
      ],
      activeSubscriptionsCount: 0,
    });
    const params = { planId: plan.id };
    const forSale = async () =>
      (await fixture.ask('listPlansForSale')).reply.data.map(({ id }) => id);
    expect(await forSale()).toContain(plan.id);
    const changed = await fixture.ask('updatePlan', {
      as: admin,
      anyVersion: true,
      params,
      body: { status: 'disabled', allowances: [{ window: 'day', limitUsd: '0' }] },
    });
    expect(changed.reply).toMatchObject({
      status: 'disabled',
      allowances: [{ window: 'day', limitUsd: '0' }],
    });
    expect(await forSale()).not.toContain(plan.id);
    const all = await fixture.ask('listPlans', { as: admin });
    expect(all.reply.data.map(({ id }) => id)).toContain(plan.id);
    expect((await fixture.ask('deletePlan', { as: admin, params })).status).toBe(204);
  });

  it('is offered to everybody without a look at who has it', async () => {
    const { groupId } = await makeCatalog(fixture, admin);
    const plan = await makePlan(fixture, admin, { groupId });
    const other = await fixture.pool.connect();
    await other.query('begin');
    await other.query('lock table subscriptions in access exclusive mode');
    const { reply } = await fixture.ask('listPlansForSale');
    await other.query('rollback');
    other.release();
    expect(reply.data.map(({ id }) => id)).toContain(plan.id);
  });

  it('when it changes leaves those who have it the terms they bought', async () => {
    const owner = await fixture.user();
    const { groupId } = await makeCatalog(fixture, admin);
    const plan = await makePlan(fixture, admin, { groupId });
    await giveMoney(fixture, { admin, to: owner, amountUsd: '10' });
    await fixture.ask('buySubscription', { as: owner, body: { planId: plan.id } });
    await fixture.ask('updatePlan', {
      as: admin,
      anyVersion: true,
      params: { planId: plan.id },
      body: { allowances: [{ window: 'day', limitUsd: '1' }] },
    });
    const { data } = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply;
    expect(data[0]?.windows.map(({ window, limitUsd }) => [window, limitUsd])).toEqual([
      ['5h', '5'],
      ['month', '40'],
    ]);
    const detail = await fixture.ask('getPlan', { as: admin, params: { planId: plan.id } });
    expect(detail.reply.activeSubscriptionsCount).toBe(1);
  });
});
