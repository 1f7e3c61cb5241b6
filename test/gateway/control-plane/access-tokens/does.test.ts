import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let owner: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  owner = await fixture.user();
});
afterAll(() => fixture.close());

function make(body: object) {
  return fixture.ask('createAccessToken', {
    as: owner,
    body: { name: 'script', scope: 'full', ...body },
  });
}

describe('an access token', () => {
  it('is shown once, stored as a digest and acts as its user', async () => {
    const made = await make({});
    const { token, prefix } = made.reply;
    expect(token).toMatch(/^weir_pat_[\w-]{43}$/);
    expect(token.startsWith(prefix)).toBe(true);
    const me = await fixture.ask('getOwnUser', { as: { token } });
    expect(me.reply.id).toBe(owner.userId);
    const { rows } = await fixture.pool.query('select * from access_tokens');
    expect(JSON.stringify(rows)).not.toContain(token);
    const list = await fixture.ask('listAccessTokens', { as: owner });
    expect(list.text).not.toContain(token);
    expect(list.reply.data.find(({ id }) => id === made.reply.id)?.lastUsedAt).not.toBeNull();
  });

  it('of scope full changes things without any cookie', async () => {
    const { token } = (await make({})).reply;
    const changed = await fixture.ask('updateOwnUser', { as: { token }, body: { theme: 'dark' } });
    expect(changed.reply.theme).toBe('dark');
  });

  it('decides alone when a cookie is sent besides', async () => {
    const { token } = (await make({ scope: 'read' })).reply;
    const refused = await fixture.ask('updateOwnUser', {
      as: { token },
      headers: { cookie: owner.cookie },
      body: { theme: 'light' },
    });
    expect(refused.problem.code).toBe('scope_required');
  });

  it('stops when it is revoked', async () => {
    const { token, id } = (await make({})).reply;
    const params = { accessTokenId: id };
    expect((await fixture.ask('deleteAccessToken', { as: owner, params })).status).toBe(204);
    expect((await fixture.ask('getOwnUser', { as: { token } })).problem.code).toBe(
      'invalid_access_token',
    );
  });

  it('stops when it expires', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { token } = (await make({ expiresAt })).reply;
    expect((await fixture.ask('getOwnUser', { as: { token } })).status).toBe(200);
    await fixture.pool.query('update access_tokens set expires_at = now()');
    expect((await fixture.ask('getOwnUser', { as: { token } })).status).toBe(401);
  });
});
