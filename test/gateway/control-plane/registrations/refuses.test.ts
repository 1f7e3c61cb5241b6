import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ANSWER_STEP_MS } from '../../../../gateway/control-plane/api/callers/constant-time.ts';
import { until } from '../../../support/clocks/hang.ts';
import {
  createAdminFixture,
  PASSWORD,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let known: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  known = await fixture.user();
});
afterAll(() => fixture.close());

function register(body: object) {
  return fixture.ask('register', {
    body: { email: 'new@example.org', password: PASSWORD, ...body },
  });
}

describe('registering is refused', () => {
  it.each([
    [{ email: 'no address' }, 'email'],
    [{ password: 'short' }, 'password'],
    [{ password: 'x'.repeat(201) }, 'password'],
    [{ language: 'tlh' }, 'language'],
    [{ surprise: true }, 'surprise'],
  ])('with %j', async (body, field) => {
    const { problem, status } = await register(body);
    expect(status).toBe(400);
    expect(problem.errors?.map((error) => error.field)).toContain(field);
  });

  it('when it is closed', async () => {
    const body = { registrationMode: 'closed' };
    await fixture.ask('updateSettings', { as: admin, anyVersion: true, body });
    expect((await register({})).problem.code).toBe('registration_closed');
  });

  it('by invitation without a code that is good', async () => {
    const body = { registrationMode: 'invitation' };
    await fixture.ask('updateSettings', { as: admin, anyVersion: true, body });
    const made = await fixture.ask('createInvitationCode', {
      as: admin,
      body: { usesMax: 5, expiresAt: new Date(Date.now() + 60_000).toISOString() },
    });
    const { id, code } = made.reply;
    expect((await register({})).problem.code).toBe('invitation_invalid');
    expect((await register({ invitationCode: 'ABCDE-12345' })).problem.code).toBe(
      'invitation_invalid',
    );
    await fixture.ask('updateInvitationCode', {
      as: admin,
      params: { invitationCodeId: id },
      body: { status: 'disabled' },
    });
    expect((await register({ invitationCode: code })).problem.code).toBe('invitation_invalid');
    await fixture.pool.query(
      `update invitation_codes set status = 'active', expires_at = now() where id = $1`,
      [id],
    );
    expect((await register({ invitationCode: code })).problem.code).toBe('invitation_invalid');
    await fixture.ask('updateSettings', {
      as: admin,
      anyVersion: true,
      body: { registrationMode: 'open' },
    });
  });
});

describe('nothing tells whether an address is known', () => {
  it('registering, asking for a link and for a reset answer alike', async () => {
    for (const route of ['requestVerification', 'requestPasswordReset'] as const) {
      const one = await fixture.ask(route, { body: { email: known.email } });
      const other = await fixture.ask(route, { body: { email: 'stranger@example.org' } });
      expect([one.status, one.text]).toEqual([other.status, other.text]);
    }
    const one = await register({ email: known.email });
    const other = await register({ email: 'stranger2@example.org' });
    expect([one.status, one.text]).toEqual([other.status, other.text]);
  });

  it('an answer comes after a time that does not depend on it', async () => {
    for (const email of [known.email, 'stranger3@example.org']) {
      for (const ask of [
        () => fixture.ask('requestVerification', { body: { email } }),
        () => fixture.ask('requestPasswordReset', { body: { email } }),
        () => register({ email }),
      ]) {
        // The clock stands still, so the work takes no time, and the answer waits for a whole step.
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
        // Not `spyOn`: vitest restores a spy again before the process's next file, and so a clock
        // that stands.
        const timers = vi.fn(globalThis.setTimeout);
        vi.stubGlobal('setTimeout', timers);
        try {
          let answered = false;
          const asked = ask().then(() => (answered = true));
          await until('the wait for the end of the step', () =>
            timers.mock.calls.some(([, ms]) => ms === ANSWER_STEP_MS),
          );
          vi.advanceTimersByTime(ANSWER_STEP_MS - 1);
          await fixture.pool.query('select 1');
          expect(answered).toBe(false);
          vi.advanceTimersByTime(1);
          await asked;
        } finally {
          vi.unstubAllGlobals();
          vi.useRealTimers();
        }
      }
    }
  });

  it('an invitation is used up by a known address as by a new one', async () => {
    const set = (registrationMode: 'invitation' | 'open') =>
      fixture.ask('updateSettings', { as: admin, anyVersion: true, body: { registrationMode } });
    await set('invitation');
    const made = await fixture.ask('createInvitationCode', { as: admin, body: { usesMax: 1 } });
    const invitationCode = made.reply.code;
    expect((await register({ email: known.email, invitationCode })).status).toBe(202);
    const again = await register({ email: 'stranger4@example.org', invitationCode });
    expect(again.problem.code).toBe('invitation_invalid');
    await set('open');
  });

  it('the known address keeps its password and is told by mail', async () => {
    const { email } = await fixture.user();
    await register({ email, password: 'the password of an intruder' });
    const body = { email, password: PASSWORD };
    expect((await fixture.ask('logIn', { body })).status).toBe(201);
    expect(fixture.lastLink(email).link).toContain('/reset-password');
  });

  it('a link that is none answers like one that was used', async () => {
    for (const route of ['verifyEmail', 'resetPassword'] as const) {
      const body = {
        token: 'x'.repeat(43),
        ...(route === 'resetPassword' ? { password: PASSWORD } : {}),
      };
      expect((await fixture.ask(route, { body })).problem.code).toBe('link_invalid');
    }
  });

  it('a link of one purpose does not serve the other', async () => {
    const { email } = await fixture.user();
    await fixture.ask('requestPasswordReset', { body: { email } });
    const { token } = fixture.lastLink(email);
    expect((await fixture.ask('verifyEmail', { body: { token } })).problem.code).toBe(
      'link_invalid',
    );
  });

  it('a link that is too old is refused', async () => {
    const { email } = await fixture.user();
    await fixture.ask('requestPasswordReset', { body: { email } });
    const { token } = fixture.lastLink(email);
    await fixture.pool.query('update link_tokens set expires_at = now()');
    const body = { token, password: PASSWORD };
    expect((await fixture.ask('resetPassword', { body })).problem.code).toBe('link_invalid');
  });
});
