import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog, makeKey } from '../support/catalog.ts';
import { askInBetween } from '../../../support/in-between.ts';
import { layAdminGround, type AdminGround, type Person } from '../support/ground.ts';

let ground: AdminGround;
let admin: Person;

beforeAll(async () => {
  ground = await layAdminGround();
  admin = await ground.admin();
});
afterAll(() => ground.close());

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
    const made = await ground.ask('createGroup', { as: admin, body: { name: 'Bad', ...body } });
    expect(made.status).toBe(400);
    const { rows } = await ground.pool.query(`select 1 from groups where name = 'Bad'`);
    expect(rows).toEqual([]);
  });

  it('with a name that is taken', async () => {
    await ground.ask('createGroup', { as: admin, body: { name: 'Taken' } });
    const again = await ground.ask('createGroup', { as: admin, body: { name: 'Taken' } });
    expect(again.problem).toMatchObject({ status: 409, code: 'already_exists' });
    const other = await makeCatalog(ground, admin);
    const renamed = await ground.ask('updateGroup', {
      as: admin,
      anyVersion: true,
      params: { groupId: other.groupId },
      body: { name: 'Taken' },
    });
    expect(renamed.problem.code).toBe('already_exists');
  });

  it('to be deleted while keys or plans use it, also keys that were deleted', async () => {
    const person = await ground.user();
    const { groupId } = await makeCatalog(ground, admin);
    const key = await makeKey(ground, person, groupId);
    const params = { groupId };
    expect((await ground.ask('deleteGroup', { as: admin, params })).problem.code).toBe('in_use');
    await ground.ask('deleteKey', { as: person, params: { keyId: key.id } });
    expect((await ground.ask('deleteGroup', { as: admin, params })).problem.code).toBe('in_use');
    const planned = await makeCatalog(ground, admin);
    await ground.ask('createPlan', {
      as: admin,
      body: {
        name: 'Monthly',
        priceUsd: '10',
        groupIds: [planned.groupId],
        allowances: [{ window: 'month', limitUsd: '20' }],
      },
    });
    const used = await ground.ask('deleteGroup', {
      as: admin,
      params: { groupId: planned.groupId },
    });
    expect(used.problem.detail).toContain('plans');
  });

  it('when it does not exist', async () => {
    const params = { groupId: NOBODY };
    for (const route of ['getGroup', 'deleteGroup'] as const) {
      expect((await ground.ask(route, { as: admin, params })).problem.code).toBe('not_found');
    }
  });

  it('a change over one that was made meanwhile, also of its models', async () => {
    const { groupId } = await makeCatalog(ground, admin);
    const params = { groupId };
    const seen = await ground.ask('getGroup', { as: admin, params });
    const etag = String(seen.headers['etag']);
    // As a proxy hands it on that compresses.
    const same = { 'if-match': `W/${etag}` };
    const first = { as: admin, params, headers: same, body: { modelIds: [] } };
    expect((await ground.ask('updateGroup', first)).status).toBe(200);
    const headers = { 'if-match': etag };
    const late = await ground.ask('updateGroup', { as: admin, params, headers, body: { rpm: 1 } });
    expect(late.problem.code).toBe('precondition_failed');
  });

  it('a change over one of its models that is just being made', async () => {
    const { groupId } = await makeCatalog(ground, admin);
    const params = { groupId };
    const seen = await ground.ask('getGroup', { as: admin, params });
    const headers = { 'if-match': String(seen.headers['etag']) };
    const late = await askInBetween(
      ground.pool,
      async (client) => {
        await client.query('update groups set updated_at = now() where id = $1', [groupId]);
        await client.query('delete from group_models where group_id = $1', [groupId]);
      },
      () => ground.ask('updateGroup', { as: admin, params, headers, body: { rpm: 1 } }),
    );
    expect(late.problem.code).toBe('precondition_failed');
  });
});
