import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layAdminGround, type AdminGround, type Person } from '../support/ground.ts';

let ground: AdminGround;
let owner: Person;

beforeAll(async () => {
  ground = await layAdminGround();
  owner = await ground.user();
});
afterAll(() => ground.close());

describe('an access token is refused', () => {
  it.each([
    [{ scope: 'root' }, 'scope'],
    [{ name: '  ' }, 'name'],
    [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
  ])('with %j', async (body, field) => {
    const made = await ground.ask('createAccessToken', {
      as: owner,
      body: { name: 'script', scope: 'read', ...body },
    });
    expect(made.status).toBe(400);
    expect(made.problem.errors?.[0]?.field).toBe(field);
  });

  it('beyond the number there may be, also many at once', async () => {
    const person = await ground.user();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_value, index) =>
        ground.ask('createAccessToken', {
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
    const made = await ground.ask('createAccessToken', {
      as: owner,
      body: { name: 'script', scope: 'read' },
    });
    const stranger = await ground.user();
    const params = { accessTokenId: made.reply.id };
    const tried = await ground.ask('deleteAccessToken', { as: stranger, params });
    expect(tried.problem.code).toBe('not_found');
    expect((await ground.ask('getOwnUser', { as: { token: made.reply.token } })).status).toBe(200);
  });

  it('when its user is disabled', async () => {
    const person = await ground.user();
    const admin = await ground.admin();
    const body = { name: 'script', scope: 'full' };
    const { token } = (await ground.ask('createAccessToken', { as: person, body })).reply;
    await ground.ask('updateUser', {
      as: admin,
      anyVersion: true,
      params: { userId: person.userId },
      body: { disabled: true },
    });
    expect((await ground.ask('getOwnUser', { as: { token } })).status).toBe(401);
  });
});

describe('an access token of an administrator that may only read', () => {
  it('gets no codes that can be used, and the rest', async () => {
    const as = await ground.admin();
    const body = { name: 'report', scope: 'read' };
    const { token } = (await ground.ask('createAccessToken', { as, body })).reply;
    const batch = { name: 'Spring', count: 1, kind: 'balance', amountUsd: '10' };
    const made = await ground.ask('createRedemptionBatch', { as, body: batch });
    const params = { batchId: made.reply.id };
    const exported = await ground.ask('exportRedemptionBatch', { as: { token }, params });
    expect(exported.problem.code).toBe('scope_required');
    const invitations = await ground.ask('listInvitationCodes', { as: { token } });
    expect(invitations.problem.code).toBe('scope_required');
    expect((await ground.ask('getRedemptionBatch', { as: { token }, params })).status).toBe(200);
    expect((await ground.ask('listRedemptionCodes', { as: { token } })).status).toBe(200);
  });
});

describe('a full access token of an administrator', () => {
  let token: string;
  let admin: Person;
  let person: Person;

  beforeAll(async () => {
    admin = await ground.admin();
    const body = { name: 'script', scope: 'full' };
    token = (await ground.ask('createAccessToken', { as: admin, body })).reply.token;
    person = await ground.user();
  });

  function update(userId: string, body: object) {
    return ground.ask('updateUser', { as: { token }, anyVersion: true, params: { userId }, body });
  }

  it('makes nobody an administrator, and no longer one', async () => {
    expect((await update(person.userId, { role: 'admin' })).problem.code).toBe('session_required');
    const other = await ground.admin();
    expect((await update(other.userId, { role: 'user' })).problem.code).toBe('session_required');
    const account = { name: 'Another', email: 'another@example.org', role: 'admin' };
    const opened = await ground.ask('createAccount', { as: { token }, body: account });
    expect(opened.problem).toMatchObject({
      code: 'session_required',
      errors: [{ field: 'role' }],
    });
    const { rowCount } = await ground.pool.query('select from users where email = $1', [
      account.email,
    ]);
    expect(rowCount).toBe(0);
  });

  it('disables and enables no administrator', async () => {
    const other = await ground.admin();
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
      const changed = await ground.ask('updateUser', {
        as: admin,
        anyVersion: true,
        params,
        body: { disabled },
      });
      expect(changed.reply.disabled).toBe(disabled);
    }
  });

  it('manages users all the same', async () => {
    expect((await update(person.userId, { disabled: true })).reply.disabled).toBe(true);
    expect((await update(person.userId, { disabled: false, role: 'user' })).status).toBe(200);
    const account = { name: 'Customer', email: 'customer@example.org' };
    expect((await ground.ask('createAccount', { as: { token }, body: account })).status).toBe(201);
  });
});
