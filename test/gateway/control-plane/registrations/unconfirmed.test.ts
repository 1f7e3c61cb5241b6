import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availableOf } from '../support/catalog.ts';
import { layAdminGround, PASSWORD, sessionCookie, type AdminGround } from '../support/ground.ts';

const STRANGERS_PASSWORD = 'the password of a stranger';
const CHOSEN_PASSWORD = 'the password chosen by mail';

let ground: AdminGround;
let count = 0;

beforeAll(async () => {
  ground = await layAdminGround();
  await ground.ask('updateSettings', {
    as: await ground.admin(),
    anyVersion: true,
    body: {
      emailVerificationRequired: true,
      registrationCreditUsd: '2',
      registrationCreditsPerNetwork: 100,
    },
  });
});
afterAll(() => ground.close());

function newEmail(): string {
  count += 1;
  return `unconfirmed${String(count)}@example.org`;
}

async function register(email: string, password: string): Promise<void> {
  const { status, reply } = await ground.ask('register', { body: { email, password } });
  expect([status, reply]).toEqual([202, { next: 'verification' }]);
}

async function logInStatus(email: string, password: string): Promise<number> {
  return (await ground.ask('logIn', { body: { email, password } })).status;
}

/** Follows the newest link, choosing a password when it asks for one. */
async function followNewest(email: string): Promise<void> {
  const { link, token } = ground.lastLink(email);
  const followed = link.includes('/verify-email')
    ? await ground.ask('verifyEmail', { body: { token } })
    : await ground.ask('resetPassword', { body: { token, password: CHOSEN_PASSWORD } });
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
      earlier.push(ground.lastLink(email).token);
    }
    for (const token of earlier.slice(0, -1)) {
      const old = await ground.ask('verifyEmail', { body: { token } });
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
    expect(ground.lastLink(email).link).toContain('/verify-email');
    await followNewest(email);
    expect(await logInStatus(email, PASSWORD)).toBe(201);
  });

  it('after a mistyped password lets its owner choose one, with the credit of a registration', async () => {
    const email = newEmail();
    await register(email, 'a mistyped passwrod');
    await register(email, PASSWORD);
    // Asked for once more, it is a link of the same kind: a bare confirmation would leave no
    // password.
    await ground.ask('requestVerification', { body: { email } });
    expect(ground.lastLink(email).link).toContain('/reset-password');
    await followNewest(email);
    const login = await ground.ask('logIn', { body: { email, password: CHOSEN_PASSWORD } });
    const { id: userId, accountId, emailVerified } = login.reply.user;
    expect(emailVerified).toBe(true);
    const cookie = sessionCookie(login.headers['set-cookie']);
    expect(await availableOf(ground, { userId, accountId, email, cookie })).toBe('2');
  });

  it('has no password until one was chosen, not even an empty-looking one', async () => {
    const email = newEmail();
    await register(email, PASSWORD);
    await register(email, STRANGERS_PASSWORD);
    for (const password of [PASSWORD, STRANGERS_PASSWORD, ' ']) {
      const { problem } = await ground.ask('logIn', { body: { email, password } });
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
