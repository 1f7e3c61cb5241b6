import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askInBetween } from '../../../support/clocks/in-between.ts';
import {
  createAdminFixture,
  PASSWORD,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';

let fixture: AdminFixture;

beforeAll(async () => {
  fixture = await createAdminFixture();
});
afterAll(() => fixture.close());

describe('logging in', () => {
  it('sets a cookie that scripts and other sites do not get', async () => {
    const { email } = await fixture.user();
    const login = await fixture.ask('logIn', { body: { email, password: PASSWORD } });
    const cookie = String(login.headers['set-cookie']);
    expect(cookie).toMatch(/^weir_session=[\w-]{43};/);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
    expect(cookie).toContain('Path=/');
    expect(login.text).not.toContain(/=([\w-]{43});/.exec(cookie)?.[1]);
    expect(login.headers['cache-control']).toBe('no-store');
  });

  it('over https pins the cookie to this host', async () => {
    const secure = await createAdminFixture({ consoleUrl: 'https://console.test' });
    const { cookie, email } = await secure.user();
    expect(cookie).toMatch(/^__Host-weir_session=/);
    const login = await secure.ask('logIn', { body: { email, password: PASSWORD } });
    expect(String(login.headers['set-cookie'])).toContain('Secure');
    await secure.close();
  });

  it('notes when', async () => {
    const person = await fixture.user();
    const me = await fixture.ask('getOwnUser', { as: person });
    const { user } = (await fixture.ask('getPresence', { as: person })).reply;
    expect(user).toEqual(me.reply);
    expect((await fixture.ask('getPresence')).reply).toEqual({
      user: null,
      membership: null,
      memberships: [],
    });
    expect(Date.parse(me.reply.lastLoginAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  it('stores the session as a digest', async () => {
    const { cookie } = await fixture.user();
    const token = cookie.split('=')[1] ?? '';
    const { rows } = await fixture.pool.query<{ digest: Buffer }>('select digest from sessions');
    const stored = rows.map(({ digest }) => digest.toString('latin1')).join();
    expect(stored).not.toContain(token);
  });
});

describe('sessions', () => {
  it('are listed with where they are, the present one marked', async () => {
    const person = await fixture.user();
    const body = { email: person.email, password: PASSWORD };
    await fixture.ask('logIn', { body, headers: { 'user-agent': 'another browser' } });
    const { data } = (await fixture.ask('listSessions', { as: person })).reply;
    expect(data).toHaveLength(2);
    expect(data.filter(({ current }) => current)).toHaveLength(1);
    expect(data.map(({ userAgent }) => userAgent)).toContain('another browser');
    expect(data[0]?.address).toBe('127.0.0.1');
  });

  it('end one by one, all others at once, and by logging out', async () => {
    const person = await fixture.user();
    const body = { email: person.email, password: PASSWORD };
    const others = await Promise.all([1, 2, 3].map(() => fixture.ask('logIn', { body })));
    const [first] = others;
    const sessionId = first?.reply.session.id ?? '';
    const cookies = others.map(({ headers }) => String(headers['set-cookie']).split(';')[0] ?? '');
    const works = async (cookie: string) =>
      (await fixture.ask('getOwnUser', { as: { ...person, cookie } })).status === 200;
    await fixture.ask('revokeSession', { as: person, params: { sessionId } });
    expect(await Promise.all(cookies.map(works))).toEqual([false, true, true]);
    await fixture.ask('revokeOtherSessions', { as: person });
    expect(await Promise.all(cookies.map(works))).toEqual([false, false, false]);
    const out = await fixture.ask('logOut', { as: person });
    expect(String(out.headers['set-cookie'])).toMatch(/weir_session=;.*Expires=Thu, 01 Jan 1970/);
    expect(await works(person.cookie)).toBe(false);
  });

  it('live on while they are used, but not for ever', async () => {
    const person = await fixture.user();
    const age = (created: string) =>
      fixture.pool.query(
        `update sessions set created_at = now() - $2::interval, last_seen_at = now() - interval '2 minutes',
           expires_at = now() + interval '1 minute' where user_id = $1`,
        [person.userId, created],
      );
    const left = async () => {
      await fixture.ask('getOwnUser', { as: person });
      const { rows } = await fixture.pool.query<{ hours: string }>(
        `select extract(epoch from expires_at - now()) / 3600 as hours from sessions where user_id = $1`,
        [person.userId],
      );
      return Math.round(Number(rows[0]?.hours));
    };
    await age('1 day');
    expect(await left()).toBe(14 * 24);
    await age('89 days');
    expect(await left()).toBe(24);
  });
});

describe('changing the password', () => {
  it('ends every other session and the links under way, and leaves access tokens', async () => {
    const person = await fixture.user();
    const script = { name: 'script', scope: 'read' };
    const made = await fixture.ask('createAccessToken', { as: person, body: script });
    const body = { email: person.email, password: PASSWORD };
    const other = await fixture.ask('logIn', { body });
    const cookie = String(other.headers['set-cookie']).split(';')[0] ?? '';
    await fixture.ask('requestPasswordReset', { body: { email: person.email } });
    const { token } = fixture.lastLink(person.email);
    const newPassword = 'an entirely new password';
    const changed = await fixture.ask('changePassword', {
      as: person,
      body: { currentPassword: PASSWORD, newPassword },
    });
    expect(changed.status).toBe(204);
    expect((await fixture.ask('getOwnUser', { as: { ...person, cookie } })).status).toBe(401);
    expect((await fixture.ask('getOwnUser', { as: person })).status).toBe(200);
    const { token: scripts } = made.reply;
    expect((await fixture.ask('getOwnUser', { as: { token: scripts } })).status).toBe(200);
    const reset = await fixture.ask('resetPassword', { body: { token, password: PASSWORD } });
    expect(reset.problem.code).toBe('link_invalid');
    expect((await fixture.ask('logIn', { body })).status).toBe(401);
    expect((await fixture.ask('logIn', { body: { ...body, password: newPassword } })).status).toBe(
      201,
    );
  });
});

describe('while a password is being reset', () => {
  const reset = (person: Person) => async (client: pg.PoolClient) => {
    await client.query(`update users set password_hash = 'another' where id = $1`, [person.userId]);
    await client.query('delete from sessions where user_id = $1', [person.userId]);
    await client.query('delete from access_tokens where user_id = $1', [person.userId]);
  };

  it('nobody logs in with the old one', async () => {
    const person = await fixture.user();
    const body = { email: person.email, password: PASSWORD };
    const late = await askInBetween(fixture.pool, reset(person), () =>
      fixture.ask('logIn', { body }),
    );
    expect(late.problem.code).toBe('invalid_credentials');
    const left = await fixture.pool.query('select from sessions where user_id = $1', [
      person.userId,
    ]);
    expect(left.rowCount).toBe(0);
  });

  it('nobody makes a token to stay', async () => {
    const person = await fixture.user();
    const body = { name: 'to stay', scope: 'full' };
    const late = await askInBetween(fixture.pool, reset(person), () =>
      fixture.ask('createAccessToken', { as: person, body }),
    );
    expect(late.problem.code).toBe('not_authenticated');
  });
});
