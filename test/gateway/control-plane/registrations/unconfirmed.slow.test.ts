import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availableOf } from '../support/catalog.ts';
import {
  createAdminFixture,
  PASSWORD,
  sessionCookie,
  type AdminFixture,
} from '../support/fixture.ts';

const STRANGERS_PASSWORD = 'the password of a stranger';
const CHOSEN_PASSWORD = 'the password chosen by mail';

let fixture: AdminFixture;
let count = 0;

beforeAll(async () => {
  fixture = await createAdminFixture();
  await fixture.ask('updateSettings', {
    as: await fixture.admin(),
    anyVersion: true,
    body: {
      emailVerificationRequired: true,
      registrationCreditUsd: '2',
      registrationCreditsPerNetwork: 100,
    },
  });
});
afterAll(() => fixture.close());

function newEmail(): string {
  count += 1;
  return `unconfirmed${String(count)}@example.org`;
}

async function register(email: string, password: string): Promise<void> {
  const { status, reply } = await fixture.ask('register', { body: { email, password } });
  expect([status, reply]).toEqual([202, { next: 'verification' }]);
}

async function logInStatus(email: string, password: string): Promise<number> {
  return (await fixture.ask('logIn', { body: { email, password } })).status;
}

/** Follows the newest link, choosing a password when it asks for one. */
async function followNewest(email: string): Promise<void> {
  const { link, token } = fixture.lastLink(email);
  const followed = link.includes('/verify-email')
    ? await fixture.ask('verifyEmail', { body: { token } })
    : await fixture.ask('resetPassword', { body: { token, password: CHOSEN_PASSWORD } });
  expect(followed.status).toBe(204);
}

describe('an unconfirmed address that is registered again', () => {
  it.each([
    ['before its owner', [STRANGERS_PASSWORD, PASSWORD]],
    ['after its owner', [PASSWORD, STRANGERS_PASSWORD]],
    ['around its owner', [STRANGERS_PASSWORD, PASSWORD, STRANGERS_PASSWORD]],
  ])('by a stranger %s lets no stranger in by any link of the owner', async (_when, passwords) => {
    const email = newEmail();
    const earlier: string[] = [];
    for (const password of passwords) {
      await register(email, password);
      earlier.push(fixture.lastLink(email).token);
    }
    for (const token of earlier.slice(0, -1)) {
      const old = await fixture.ask('verifyEmail', { body: { token } });
      expect(old.problem.code).toBe('link_invalid');
    }
    await followNewest(email);
    expect(await logInStatus(email, STRANGERS_PASSWORD)).toBe(401);
    expect(await logInStatus(email, CHOSEN_PASSWORD)).toBe(201);
  });

  it('at the same moment confirms neither password', async () => {
    const email = newEmail();
    await Promise.all([register(email, PASSWORD), register(email, STRANGERS_PASSWORD)]);
    await followNewest(email);
    const statuses = [PASSWORD, STRANGERS_PASSWORD].map((password) => logInStatus(email, password));
    expect(await Promise.all(statuses)).toEqual([401, 401]);
    expect(await logInStatus(email, CHOSEN_PASSWORD)).toBe(201);
  });

  it('with the same password sends the confirmation again, and that password works', async () => {
    const email = newEmail();
    await register(email, PASSWORD);
    await register(email, PASSWORD);
    expect(fixture.lastLink(email).link).toContain('/verify-email');
    await followNewest(email);
    expect(await logInStatus(email, PASSWORD)).toBe(201);
  });

  it('after a mistyped password lets its owner choose one, with the credit of a registration', async () => {
    const email = newEmail();
    await register(email, 'a mistyped passwrod');
    await register(email, PASSWORD);
    // Asked for once more, it is a link of the same kind: a bare confirmation would leave no
    // password.
    await fixture.ask('requestVerification', { body: { email } });
    expect(fixture.lastLink(email).link).toContain('/reset-password');
    await followNewest(email);
    const login = await fixture.ask('logIn', { body: { email, password: CHOSEN_PASSWORD } });
    const { id: userId, accountId, emailVerified } = login.reply.user;
    expect(emailVerified).toBe(true);
    const cookie = sessionCookie(login.headers['set-cookie']);
    expect(await availableOf(fixture, { userId, accountId, email, cookie })).toBe('2');
  });

  it('has no password until one was chosen, not even an empty-looking one', async () => {
    const email = newEmail();
    await register(email, PASSWORD);
    await register(email, STRANGERS_PASSWORD);
    for (const password of [PASSWORD, STRANGERS_PASSWORD, ' ']) {
      const { problem } = await fixture.ask('logIn', { body: { email, password } });
      expect(problem.code).toBe('invalid_credentials');
    }
  });

  it('and confirmed in the meantime keeps its password', async () => {
    const email = newEmail();
    await register(email, PASSWORD);
    await followNewest(email);
    await register(email, STRANGERS_PASSWORD);
    expect(await logInStatus(email, PASSWORD)).toBe(201);
    expect(await logInStatus(email, STRANGERS_PASSWORD)).toBe(401);
  });
});
