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

describe('an account is refused', () => {
  it('to be opened for an address that has one', async () => {
    const owner = await fixture.user();
    const body = { name: 'Again', email: owner.email.toUpperCase() };
    const made = await fixture.ask('createAccount', { as: admin, body });
    expect(made.problem).toMatchObject({ status: 409, code: 'already_exists' });
    const { rows } = await fixture.pool.query(`select 1 from accounts where name = 'Again'`);
    expect(rows).toEqual([]);
  });

  it.each([
    [{ status: 'sleeping' }],
    [{ concurrencyMax: 0 }],
    [{ concurrencyMax: 2.5 }],
    [{ concurrencyMax: 3_000_000_000 }],
    [{ name: '' }],
    [{ balance: '1' }],
  ])('the change %j', async (body) => {
    const owner = await fixture.user();
    const params = { accountId: owner.accountId };
    const changed = await fixture.ask('updateAccount', {
      as: admin,
      anyVersion: true,
      params,
      body,
    });
    expect(changed.status).toBe(400);
  });

  it('to its owner where only an administrator may change it', async () => {
    const owner = await fixture.user();
    for (const body of [{ status: 'active' }, { concurrencyMax: null }]) {
      const changed = await fixture.ask('updateOwnAccount', { as: owner, anyVersion: true, body });
      expect(changed.status).toBe(400);
    }
  });

  it('when it does not exist', async () => {
    const params = { accountId: NOBODY };
    for (const route of ['getAccount', 'getAccountOverview'] as const) {
      expect((await fixture.ask(route, { as: admin, params })).problem.code).toBe('not_found');
    }
  });

  it('a change over one that was made meanwhile', async () => {
    const owner = await fixture.user();
    const params = { accountId: owner.accountId };
    const seen = await fixture.ask('getAccount', { as: admin, params });
    const headers = { 'if-match': String(seen.headers['etag']) };
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((name) =>
        fixture.ask('updateAccount', { as: admin, params, headers, body: { name } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  });
});
