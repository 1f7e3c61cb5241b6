import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

const NOBODY = '00000000-0000-7000-8000-000000000000';

describe('a bulk change', () => {
  it('for another number of objects than match now is refused, and changes none', async () => {
    const people = [
      await fixture.user('counted-a@example.org'),
      await fixture.user('counted-b@example.org'),
    ];
    for (const count of [1, 3]) {
      const body = { matching: { search: 'counted-', count }, status: 'suspended' as const };
      const refused = await fixture.ask('changeAccountsInBulk', { as: admin, body });
      expect(refused.status).toBe(409);
      expect(refused.problem.detail).toContain(`2 match the filter now, and the change was for`);
    }
    for (const person of people) {
      expect((await fixture.ask('getOwnAccount', { as: person })).reply.status).toBe('active');
    }
  });

  it.each([
    ['neither objects nor a filter', { status: 'disabled' }],
    ['both', { ids: [NOBODY], matching: { count: 1 }, status: 'disabled' }],
    ['no change', { ids: [NOBODY] }],
    ['two changes', { ids: [NOBODY], status: 'disabled', delete: true }],
    ['no object', { ids: [], status: 'disabled' }],
    ['more objects than there may be', { ids: Array(5_001).fill(NOBODY), status: 'disabled' }],
    ['a field that is not known', { ids: [NOBODY], name: 'x' }],
  ])('with %s is refused', async (_what, body) => {
    const refused = await fixture.ask('changeKeysInBulk', { as: admin, body });
    expect(refused.status, refused.text).toBe(400);
  });

  it.each([
    ['a factor of 0', { factor: '0' }],
    ['a percentage that leaves nothing', { percent: '-100' }],
    ['a step of 0', { percent: '1', rounding: { stepUsd: '0', mode: 'up' } }],
    [
      'a set price that is rounded',
      { set: { inputUsd: '1' }, rounding: { stepUsd: '1', mode: 'up' } },
    ],
    ['a set of nothing', { set: {} }],
    ['a time that is past', { percent: '1', effectiveFrom: '2020-01-01T00:00:00.000Z' }],
  ])('of prices with %s is refused', async (_what, change) => {
    const body = { ids: [NOBODY], ...change };
    const refused = await fixture.ask('changePricesInBulk', { as: admin, body });
    expect(refused.status, refused.text).toBe(400);
  });

  it('of a customer reaches no key of another account', async () => {
    const made = { name: 'bulk own', modelIds: [] };
    const groupId = (await fixture.ask('createGroup', { as: admin, body: made })).reply.id;
    const [owner, stranger] = [await fixture.user(), await fixture.user()];
    const key = { name: 'mine', groupId };
    const { reply } = await fixture.ask('createKey', { as: owner, body: key });
    const body = { ids: [reply.id], delete: true as const };
    const tried = await fixture.ask('changeOwnKeysInBulk', { as: stranger, body });
    expect(tried.reply).toMatchObject({ changed: 0, notChangedCount: 1 });
    expect(tried.reply.notChanged[0]).toMatchObject({ name: reply.id, reason: 'not_found' });
    const all = { matching: { count: 1 }, delete: true as const };
    expect((await fixture.ask('changeOwnKeysInBulk', { as: stranger, body: all })).status).toBe(
      409,
    );
    expect((await fixture.ask('listKeys', { as: owner })).reply.data).toHaveLength(1);
  });

  it('of keys is not undone', async () => {
    const params = { bulkChangeId: NOBODY };
    expect((await fixture.ask('undoBulkChange', { as: admin, params, body: {} })).status).toBe(404);
  });

  it('without an Idempotency-Key is refused', async () => {
    const headers = { 'idempotency-key': '' };
    const body = { ids: [NOBODY], status: 'disabled' as const };
    const refused = await fixture.ask('changeKeysInBulk', { as: admin, body, headers });
    expect(refused.status).toBe(400);
  });
});
