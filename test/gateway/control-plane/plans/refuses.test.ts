import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
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
const DAY = { window: 'day', limitUsd: '1' };

describe('a plan is refused', () => {
  it.each([
    [{ priceUsd: '-1' }],
    [{ priceUsd: 1 }],
    [{ periodDays: 0 }],
    [{ periodDays: 367 }],
    [{ groupIds: [] }],
    [{ groupIds: [NOBODY] }],
    [{ allowances: [] }],
    [{ allowances: [DAY, DAY] }],
    [{ allowances: [{ window: 'year', limitUsd: '1' }] }],
    [{ allowances: [{ window: 'day', limitUsd: '99999999' }] }],
  ])('with %j', async (body) => {
    const made = await fixture.ask('createPlan', {
      as: admin,
      body: { name: 'bad', priceUsd: '1', groupIds: [catalog.groupId], allowances: [DAY], ...body },
    });
    expect(made.status).toBe(400);
    expect((await fixture.pool.query(`select 1 from plans where name = 'bad'`)).rows).toEqual([]);
  });

  it('with a name that is taken', async () => {
    const { name } = await makePlan(fixture, admin, { groupId: catalog.groupId });
    const body = { name, priceUsd: '1', groupIds: [catalog.groupId], allowances: [DAY] };
    const again = await fixture.ask('createPlan', { as: admin, body });
    expect(again.problem).toMatchObject({ status: 409, code: 'already_exists' });
  });

  it('to be deleted once someone had it', async () => {
    const owner = await fixture.user();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    await fixture.ask('grantSubscription', {
      as: admin,
      body: { accountId: owner.accountId, planId: plan.id, reason: 'a gift' },
    });
    const tried = await fixture.ask('deletePlan', { as: admin, params: { planId: plan.id } });
    expect(tried.problem.code).toBe('in_use');
  });

  it('a change over one that was made meanwhile, also of its groups', async () => {
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    const params = { planId: plan.id };
    const seen = await fixture.ask('getPlan', { as: admin, params });
    const headers = { 'if-match': String(seen.headers['etag']) };
    const other = await makeCatalog(fixture, admin);
    const body = { groupIds: [other.groupId] };
    await fixture.ask('updatePlan', { as: admin, anyVersion: true, params, body });
    const late = await fixture.ask('updatePlan', {
      as: admin,
      params,
      headers,
      body: { priceUsd: '2' },
    });
    expect(late.problem.code).toBe('precondition_failed');
  });
});
