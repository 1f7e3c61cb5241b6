import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

describe('users are refused', () => {
  it('to be left without an administrator, also when two act at once', async () => {
    const alone = await fixture.ask('updateUser', {
      as: admin,
      anyVersion: true,
      params: { userId: admin.userId },
      body: { role: 'user' },
    });
    expect(alone.problem.code).toBe('state_conflict');
    const second = await fixture.admin();
    const demote = (as: Person, whom: Person) =>
      fixture.ask('updateUser', {
        as,
        anyVersion: true,
        params: { userId: whom.userId },
        body: { disabled: true },
      });
    await Promise.all([demote(admin, second), demote(second, admin)]);
    const { rows } = await fixture.pool.query(
      `select 1 from users where role = 'admin' and disabled_at is null`,
    );
    expect(rows).toHaveLength(1);
    await fixture.pool.query(`update users set disabled_at = null where role = 'admin'`);
    admin = await fixture.admin();
  });

  it('a change by someone who saw an older version', async () => {
    const person = await fixture.user();
    const params = { userId: person.userId };
    const seen = await fixture.ask('getUser', { as: admin, params });
    const headers = { 'if-match': String(seen.headers['etag']) };
    const first = await fixture.ask('updateUser', {
      as: admin,
      params,
      headers,
      body: { disabled: true },
    });
    expect(first.status).toBe(200);
    const second = await fixture.ask('updateUser', {
      as: admin,
      params,
      headers,
      body: { role: 'admin' },
    });
    expect(second.problem).toMatchObject({ code: 'precondition_failed', status: 412 });
    const none = await fixture.ask('updateUser', { as: admin, params, body: { role: 'admin' } });
    expect(none.problem).toMatchObject({ code: 'precondition_required', status: 428 });
    const after = await fixture.ask('getUser', { as: admin, params });
    expect(after.reply).toMatchObject({ role: 'user', disabled: true });
  });

  it('an unknown one', async () => {
    const params = { userId: '00000000-0000-7000-8000-000000000000' };
    expect((await fixture.ask('getUser', { as: admin, params })).problem.code).toBe('not_found');
    const wrong = await fixture.ask('getUser', { as: admin, params: { userId: 'no-id' } });
    expect(wrong.problem).toMatchObject({ status: 400, code: 'invalid_value' });
  });

  it('a cursor that this list did not give out', async () => {
    for (const cursor of ['nonsense', 'WyJ4Il0', Buffer.from('["a","b"]').toString('base64url')]) {
      const page = await fixture.ask('listUsers', { as: admin, query: { cursor } });
      expect(page.problem).toMatchObject({ status: 400, code: 'invalid_cursor' });
    }
  });

  it('a page that is too large, or of no rows', async () => {
    for (const limit of [0, 201, 1.5]) {
      expect((await fixture.ask('listUsers', { as: admin, query: { limit } })).status).toBe(400);
    }
  });
});
