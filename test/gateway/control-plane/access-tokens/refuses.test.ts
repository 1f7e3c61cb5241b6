import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let owner: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  owner = await fixture.user();
});
afterAll(() => fixture.close());

describe('an access token is refused', () => {
  it.each([
    [{ scope: 'root' }, 'scope'],
    [{ name: '  ' }, 'name'],
    [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
  ])('with %j', async (body, field) => {
    const made = await fixture.ask('createAccessToken', {
      as: owner,
      body: { name: 'script', scope: 'read', ...body },
    });
    expect(made.status).toBe(400);
    expect(made.problem.errors?.[0]?.field).toBe(field);
  });

  it('beyond the number there may be, also many at once', async () => {
    const person = await fixture.user();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_value, index) =>
        fixture.ask('createAccessToken', {
          as: person,
          body: { name: `token ${String(index)}`, scope: 'read' },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused?.problem.code).toBe('limit_reached');
  });

  it('to be deleted by someone else', async () => {
    const made = await fixture.ask('createAccessToken', {
      as: owner,
      body: { name: 'script', scope: 'read' },
    });
    const stranger = await fixture.user();
    const params = { accessTokenId: made.reply.id };
    const tried = await fixture.ask('deleteAccessToken', { as: stranger, params });
    expect(tried.problem.code).toBe('not_found');
    expect((await fixture.ask('getOwnUser', { as: { token: made.reply.token } })).status).toBe(200);
  });

  it('when its user is disabled', async () => {
    const person = await fixture.user();
    const admin = await fixture.admin();
    const body = { name: 'script', scope: 'full' };
    const { token } = (await fixture.ask('createAccessToken', { as: person, body })).reply;
    await fixture.ask('updateUser', {
      as: admin,
      anyVersion: true,
      params: { userId: person.userId },
      body: { disabled: true },
    });
    expect((await fixture.ask('getOwnUser', { as: { token } })).status).toBe(401);
  });
});

describe('an access token of an administrator that may only read', () => {
  it('gets no codes that can be used, and the rest', async () => {
    const as = await fixture.admin();
    const body = { name: 'report', scope: 'read' };
    const { token } = (await fixture.ask('createAccessToken', { as, body })).reply;
    const batch = { name: 'Spring', count: 1, kind: 'balance', amountUsd: '10' };
    const made = await fixture.ask('createRedemptionBatch', { as, body: batch });
    const params = { batchId: made.reply.id };
    const exported = await fixture.ask('exportRedemptionBatch', { as: { token }, params });
    expect(exported.problem.code).toBe('scope_required');
    const invitations = await fixture.ask('listInvitationCodes', { as: { token } });
    expect(invitations.problem.code).toBe('scope_required');
    expect((await fixture.ask('getRedemptionBatch', { as: { token }, params })).status).toBe(200);
    expect((await fixture.ask('listRedemptionCodes', { as: { token } })).status).toBe(200);
  });
});

describe('a full access token of an administrator', () => {
  let token: string;
  let admin: Person;
  let person: Person;

  beforeAll(async () => {
    admin = await fixture.admin();
    const body = { name: 'script', scope: 'full' };
    token = (await fixture.ask('createAccessToken', { as: admin, body })).reply.token;
    person = await fixture.user();
  });

  function update(userId: string, body: object) {
    return fixture.ask('updateUser', { as: { token }, anyVersion: true, params: { userId }, body });
  }

  it('makes nobody an administrator, and no longer one', async () => {
    expect((await update(person.userId, { role: 'admin' })).problem.code).toBe('session_required');
    const other = await fixture.admin();
    expect((await update(other.userId, { role: 'user' })).problem.code).toBe('session_required');
    const account = { name: 'Another', email: 'another@example.org', role: 'admin' };
    const opened = await fixture.ask('createAccount', { as: { token }, body: account });
    expect(opened.problem).toMatchObject({
      code: 'session_required',
      errors: [{ field: 'role' }],
    });
    const { rowCount } = await fixture.pool.query('select from users where email = $1', [
      account.email,
    ]);
    expect(rowCount).toBe(0);
  });

  it('disables and enables no administrator', async () => {
    const other = await fixture.admin();
    const params = { userId: other.userId };
    for (const [was, disabled] of [
      [false, true],
      [true, false],
    ] as const) {
      const refused = await update(other.userId, { disabled });
      expect(refused.problem).toMatchObject({
        code: 'session_required',
        errors: [{ field: 'disabled' }],
      });
      // What changes nothing is no decision.
      expect((await update(other.userId, { disabled: was })).status).toBe(200);
      const changed = await fixture.ask('updateUser', {
        as: admin,
        anyVersion: true,
        params,
        body: { disabled },
      });
      expect(changed.reply.disabled).toBe(disabled);
    }
  });

  it('still manages users', async () => {
    expect((await update(person.userId, { disabled: true })).reply.disabled).toBe(true);
    expect((await update(person.userId, { disabled: false, role: 'user' })).status).toBe(200);
    const account = { name: 'Customer', email: 'customer@example.org' };
    expect((await fixture.ask('createAccount', { as: { token }, body: account })).status).toBe(201);
  });
});
