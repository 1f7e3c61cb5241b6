import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SettingsUpdate } from '@weir/shared/people/settings';
import { availableOf } from '../support/catalog.ts';
import {
  createAdminFixture,
  PASSWORD,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let count = 0;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());
beforeEach(() =>
  set({
    registrationMode: 'open',
    emailVerificationRequired: false,
    registrationCreditUsd: '0',
    privacy: '',
  }),
);

async function set(body: SettingsUpdate): Promise<void> {
  const changed = await fixture.ask('updateSettings', { as: admin, anyVersion: true, body });
  expect(changed.status).toBe(200);
}

function newEmail(): string {
  count += 1;
  return `newcomer${String(count)}@example.org`;
}

function register(email: string, password = PASSWORD) {
  return fixture.ask('register', { body: { email, password } });
}

function logIn(email: string, password = PASSWORD) {
  return fixture.ask('logIn', { body: { email, password } });
}

async function personOf(email: string): Promise<Person> {
  const login = await logIn(email);
  const { id, accountId } = login.reply.user;
  const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
  return { userId: id, accountId, email, cookie };
}

describe('registering', () => {
  it('opens an account that can log in at once when no confirmation is demanded', async () => {
    const email = newEmail();
    expect((await register(email)).reply).toEqual({ next: 'login' });
    const login = await logIn(email);
    expect(login.reply.user).toMatchObject({ email, role: 'user', emailVerified: false });
    expect(await availableOf(fixture, await personOf(email))).toBe('0');
  });

  it('needs agreement where the operator has terms or a privacy notice, and notes when', async () => {
    await set({ privacy: 'We keep what the bill needs.' });
    const email = newEmail();
    const refused = await register(email);
    expect(refused.problem).toMatchObject({
      code: 'invalid_value',
      errors: [{ field: 'termsAccepted' }],
    });
    const body = { email, password: PASSWORD, termsAccepted: true };
    expect((await fixture.ask('register', { body })).reply).toEqual({ next: 'login' });
    await set({ privacy: '' });
    const without = newEmail();
    await register(without);
    const { rows } = await fixture.pool.query<{ email: string; agreed: boolean }>(
      `select email, terms_accepted_at is not null as agreed from users where email = any ($1)
       order by email`,
      [[email, without]],
    );
    expect(rows).toEqual(
      [
        { email, agreed: true },
        { email: without, agreed: false },
      ].toSorted((one, other) => (one.email < other.email ? -1 : 1)),
    );
  });

  it('takes an address in any case for the same', async () => {
    const email = newEmail();
    await register(email.toUpperCase());
    expect((await logIn(email)).status).toBe(201);
  });

  it('gives the registration credit once', async () => {
    await set({ registrationCreditUsd: '1.5' });
    const email = newEmail();
    await register(email);
    await register(email);
    expect(await availableOf(fixture, await personOf(email))).toBe('1.5');
  });

  it('waits for the confirmation when it is demanded, and credits only then', async () => {
    await set({ emailVerificationRequired: true, registrationCreditUsd: '2' });
    const email = newEmail();
    expect((await register(email)).reply).toEqual({ next: 'verification' });
    expect((await logIn(email)).status).toBe(401);
    const { link, token } = fixture.lastLink(email);
    expect(link).toMatch(/^http:\/\/console\.test\/verify-email#token=/);
    expect((await fixture.ask('verifyEmail', { body: { token } })).status).toBe(204);
    const person = await personOf(email);
    expect(await availableOf(fixture, person)).toBe('2');
    expect((await fixture.ask('getOwnUser', { as: person })).reply.emailVerified).toBe(true);
  });

  it('sends the confirmation again, and the newer link ends the older one', async () => {
    await set({ emailVerificationRequired: true });
    const email = newEmail();
    await register(email);
    const first = fixture.lastLink(email);
    expect((await fixture.ask('requestVerification', { body: { email } })).status).toBe(202);
    const second = fixture.lastLink(email);
    expect(second.token).not.toBe(first.token);
    const old = await fixture.ask('verifyEmail', { body: { token: first.token } });
    expect(old.problem.code).toBe('link_invalid');
    expect((await fixture.ask('verifyEmail', { body: { token: second.token } })).status).toBe(204);
  });

  it('by invitation counts the uses of the code', async () => {
    await set({ registrationMode: 'invitation' });
    const made = await fixture.ask('createInvitationCode', { as: admin, body: { usesMax: 2 } });
    const invitationCode = made.reply.code.toLowerCase().replaceAll('-', ' ');
    const emails = [newEmail(), newEmail(), newEmail()];
    const statuses: number[] = [];
    for (const email of emails) {
      const body = { email, password: PASSWORD, invitationCode };
      statuses.push((await fixture.ask('register', { body })).status);
    }
    expect(statuses).toEqual([202, 202, 403]);
    const list = await fixture.ask('listInvitationCodes', { as: admin });
    expect(list.reply.data[0]).toMatchObject({ usesCount: 2, usesMax: 2 });
  });

  it('many times at once with one code of one use opens one account', async () => {
    await set({ registrationMode: 'invitation' });
    const made = await fixture.ask('createInvitationCode', { as: admin, body: { usesMax: 1 } });
    const invitationCode = made.reply.code;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        fixture.ask('register', {
          body: { email: newEmail(), password: PASSWORD, invitationCode },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  });
});

describe('a forgotten password', () => {
  it('is replaced by a link, which works once, ends every session and revokes every access token', async () => {
    const person = await fixture.user();
    const another = await fixture.user();
    const body = { name: 'script', scope: 'full' };
    const { token: stolen } = (await fixture.ask('createAccessToken', { as: person, body })).reply;
    const { token: foreign } = (await fixture.ask('createAccessToken', { as: another, body }))
      .reply;
    const elsewhere = await personOf(person.email);
    expect(
      (await fixture.ask('requestPasswordReset', { body: { email: person.email } })).status,
    ).toBe(202);
    const { link, token } = fixture.lastLink(person.email);
    expect(link).toContain('/reset-password#token=');
    const password = 'a new and longer password';
    expect((await fixture.ask('resetPassword', { body: { token, password } })).status).toBe(204);
    for (const as of [person, elsewhere]) {
      expect((await fixture.ask('getOwnUser', { as })).status).toBe(401);
    }
    const dead = await fixture.ask('getOwnUser', { as: { token: stolen } });
    expect(dead.problem.code).toBe('invalid_access_token');
    expect((await fixture.ask('getOwnUser', { as: { token: foreign } })).status).toBe(200);
    expect((await logIn(person.email, password)).status).toBe(201);
    expect((await logIn(person.email)).status).toBe(401);
    const again = await fixture.ask('resetPassword', { body: { token, password } });
    expect(again.problem.code).toBe('link_invalid');
  });

  it('keeps its young link, even if someone asks again or registers the address; later a newer one ends it', async () => {
    const { email } = await fixture.user();
    const ask = () => fixture.ask('requestPasswordReset', { body: { email } });
    await ask();
    const first = fixture.lastLink(email);
    expect((await ask()).status).toBe(202);
    await register(email, 'the password of a stranger');
    expect(fixture.lastLink(email)).toEqual(first);
    await fixture.pool.query(`update link_tokens set created_at = now() - interval '301 seconds'`);
    await ask();
    const password = 'a new and longer password';
    const follow = ({ token }: typeof first) =>
      fixture.ask('resetPassword', { body: { token, password } });
    expect((await follow(first)).problem.code).toBe('link_invalid');
    const second = fixture.lastLink(email);
    await ask();
    expect((await follow(second)).status).toBe(204);
  });
});
