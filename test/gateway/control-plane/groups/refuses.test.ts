import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog, makeKey } from '../support/catalog.ts';
import { askInBetween } from '../../../support/clocks/in-between.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

const NOBODY = '00000000-0000-7000-8000-000000000000';

describe('a group is refused', () => {
  it.each([
    [{ name: '' }],
    [{ multiplier: '-1' }],
    [{ multiplier: '1.0000001' }],
    [{ multiplier: '1000' }],
    [{ multiplier: 1 }],
    [{ rpm: 0 }],
    [{ modelIds: [NOBODY] }],
    [{ modelIds: ['nonsense'] }],
    [{ protocols: [] }],
    [{ protocols: ['telepathy'] }],
    [{ protocols: ['gemini', 'gemini'] }],
    [{ status: 'hidden' }],
  ])('with %j', async (body) => {
    const made = await fixture.ask('createGroup', { as: admin, body: { name: 'Bad', ...body } });
    expect(made.status).toBe(400);
    const { rows } = await fixture.pool.query(`select 1 from groups where name = 'Bad'`);
    expect(rows).toEqual([]);
  });

  it('with a name that is taken', async () => {
    await fixture.ask('createGroup', { as: admin, body: { name: 'Taken' } });
    const again = await fixture.ask('createGroup', { as: admin, body: { name: 'Taken' } });
    expect(again.problem).toMatchObject({ status: 409, code: 'already_exists' });
    const other = await makeCatalog(fixture, admin);
    const renamed = await fixture.ask('updateGroup', {
      as: admin,
      anyVersion: true,
      params: { groupId: other.groupId },
      body: { name: 'Taken' },
    });
    expect(renamed.problem.code).toBe('already_exists');
  });

  it('to be deleted while keys or plans use it, also keys that were deleted', async () => {
    const person = await fixture.user();
    const { groupId } = await makeCatalog(fixture, admin);
    const key = await makeKey(fixture, person, groupId);
    const params = { groupId };
    expect((await fixture.ask('deleteGroup', { as: admin, params })).problem.code).toBe('in_use');
    await fixture.ask('deleteKey', { as: person, params: { keyId: key.id } });
    expect((await fixture.ask('deleteGroup', { as: admin, params })).problem.code).toBe('in_use');
    const planned = await makeCatalog(fixture, admin);
    await fixture.ask('createPlan', {
      as: admin,
      body: {
        name: 'Monthly',
        priceUsd: '10',
        groupIds: [planned.groupId],
        allowances: [{ window: 'month', limitUsd: '20' }],
      },
    });
    const used = await fixture.ask('deleteGroup', {
      as: admin,
      params: { groupId: planned.groupId },
    });
    expect(used.problem.detail).toContain('plans');
  });

  it('when it does not exist', async () => {
    const params = { groupId: NOBODY };
    for (const route of ['getGroup', 'deleteGroup'] as const) {
      expect((await fixture.ask(route, { as: admin, params })).problem.code).toBe('not_found');
    }
  });

  it('a change over one that was made meanwhile, also of its models', async () => {
    const { groupId } = await makeCatalog(fixture, admin);
    const params = { groupId };
    const seen = await fixture.ask('getGroup', { as: admin, params });
    const etag = String(seen.headers['etag']);
    // As a proxy hands it on that compresses.
    const same = { 'if-match': `W/${etag}` };
    const first = { as: admin, params, headers: same, body: { modelIds: [] } };
    expect((await fixture.ask('updateGroup', first)).status).toBe(200);
    const headers = { 'if-match': etag };
    const late = await fixture.ask('updateGroup', { as: admin, params, headers, body: { rpm: 1 } });
    expect(late.problem.code).toBe('precondition_failed');
  });

  it('a change over one of its models that is just being made', async () => {
    const { groupId } = await makeCatalog(fixture, admin);
    const params = { groupId };
    const seen = await fixture.ask('getGroup', { as: admin, params });
    const headers = { 'if-match': String(seen.headers['etag']) };
    const late = await askInBetween(
      fixture.pool,
      async (client) => {
        await client.query('update groups set updated_at = now() where id = $1', [groupId]);
        await client.query('delete from group_models where group_id = $1', [groupId]);
      },
      () => fixture.ask('updateGroup', { as: admin, params, headers, body: { rpm: 1 } }),
    );
    expect(late.problem.code).toBe('precondition_failed');
  });
});
