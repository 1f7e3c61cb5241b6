import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeSmtp, textOfMail, type FakeSmtp } from '../support/fakes/fake-smtp.ts';
import {
  createAdminFixture,
  PASSWORD,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';

const NEW_PASSWORD = 'chosen by the link';

let fixture: AdminFixture;
let mailing: AdminFixture;
let smtp: FakeSmtp;
let admin: Person;

beforeAll(async () => {
  smtp = await startFakeSmtp();
  fixture = await createAdminFixture();
  mailing = await createAdminFixture({ config: { smtpUrl: smtp.url } });
  admin = await fixture.admin();
});
afterAll(async () => {
  await fixture.close();
  await mailing.close();
  smtp.close();
});

const reset = ({ userId }: Person, as: Person = admin) =>
  fixture.ask('resetPasswordOfUser', { as, params: { userId } });
const move = ({ userId }: Person, email: string, as: Person = admin) =>
  fixture.ask('changeEmailOfUser', { as, params: { userId }, body: { email } });
const logIn = (email: string, password: string) =>
  fixture.ask('logIn', { body: { email, password } });

describe('a password that an administrator resets', () => {
  it('ends at once, with sessions and access tokens, and is replaced by the link', async () => {
    const person = await fixture.user();
    const body = { name: 'CI', scope: 'full' };
    const { token } = (await fixture.ask('createAccessToken', { as: person, body })).reply;
    const { reply } = await reset(person);
    expect(reply).toMatchObject({ mailed: false, hours: 24 });
    expect((await fixture.ask('getOwnUser', { as: person })).status).toBe(401);
    expect((await fixture.ask('getOwnUser', { as: { token } })).status).toBe(401);
    expect((await logIn(person.email, PASSWORD)).problem.code).toBe('invalid_credentials');
    const chosen = await fixture.ask('resetPassword', {
      body: { token: reply.link?.split('#token=')[1] ?? '', password: NEW_PASSWORD },
    });
    expect(chosen.status).toBe(204);
    expect((await logIn(person.email, NEW_PASSWORD)).status).toBe(201);
    const log = await fixture.ask('listAuditEntries', { as: admin });
    expect(log.reply.data[0]).toMatchObject({
      action: 'resetPasswordOfUser',
      subjectId: person.userId,
    });
    expect(log.text).not.toContain('#token=');
  });

  it('is mailed in the language of the user, and the administrator does not see the link', async () => {
    const person = await mailing.user();
    await mailing.ask('updateOwnUser', { as: person, body: { language: 'zh-CN' } });
    const made = await mailing.ask('resetPasswordOfUser', {
      as: await mailing.admin(),
      params: { userId: person.userId },
    });
    expect(made.reply).toEqual({ mailed: true, link: null, hours: 24 });
    const token = await smtp.takeToken(person.email);
    const mail = smtp.delivered.find((text) => text.includes(`To: ${person.email}`));
    expect(textOfMail(mail)).toContain('管理员已重置你的密码');
    const body = { token, password: NEW_PASSWORD };
    expect((await mailing.ask('resetPassword', { body })).status).toBe(204);
  });

  it('is not one’s own, nor that of a user who is disabled or not there', async () => {
    expect((await reset(admin)).problem.code).toBe('state_conflict');
    const person = await fixture.user();
    const params = { userId: person.userId };
    const body = { disabled: true };
    await fixture.ask('updateUser', { as: admin, params, anyVersion: true, body });
    expect((await reset(person)).problem.code).toBe('state_conflict');
    const nobody = { ...person, userId: '00000000-0000-7000-8000-000000000000' };
    expect((await reset(nobody)).problem.code).toBe('not_found');
  });
});

describe('an address that an administrator changes', () => {
  it('is the one to log in with from then on; links to the former one end', async () => {
    const person = await fixture.user();
    await fixture.ask('requestPasswordReset', { body: { email: person.email } });
    const { token } = fixture.lastLink(person.email);
    const email = 'Moved.To@example.org';
    const moved = await move(person, email);
    expect(moved.reply).toMatchObject({ id: person.userId, email: email.toLowerCase() });
    expect((await logIn(person.email, PASSWORD)).problem.code).toBe('invalid_credentials');
    expect((await logIn(email, PASSWORD)).status).toBe(201);
    const body = { token, password: NEW_PASSWORD };
    expect((await fixture.ask('resetPassword', { body })).problem.code).toBe('link_invalid');
    const log = await fixture.ask('listAuditEntries', { as: admin });
    expect(log.reply.data[0]).toMatchObject({
      action: 'changeEmailOfUser',
      before: { email: person.email },
      after: { email: email.toLowerCase() },
    });
  });

  it('is told to both addresses', async () => {
    const person = await mailing.user();
    const email = 'both@example.net';
    await mailing.ask('changeEmailOfUser', {
      as: await mailing.admin(),
      params: { userId: person.userId },
      body: { email },
    });
    await expect
      .poll(() => smtp.delivered.filter((mail) => mail.includes(`To: ${person.email}`)).length)
      .toBe(1);
    await expect
      .poll(() => smtp.delivered.filter((mail) => mail.includes(`To: ${email}`)).length)
      .toBe(1);
  });

  it('is nobody else’s, and not one’s own', async () => {
    const [person, other] = [await fixture.user(), await fixture.user()];
    const taken = await move(person, other.email.toUpperCase());
    expect(taken.problem).toMatchObject({ code: 'already_exists', errors: [{ field: 'email' }] });
    expect((await move(admin, 'mine@example.org')).problem.code).toBe('state_conflict');
    expect((await move(person, 'no address')).problem.code).toBe('invalid_value');
  });
});
