import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

const PERIOD_MS = 30_000;

function codeOf(secret: string, steps = 0): string {
  const timestamp = Date.now() + steps * PERIOD_MS;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

async function enrol(person: Person): Promise<string> {
  const begun = await fixture.ask('beginSecondFactor', {
    as: person,
    body: { password: PASSWORD },
  });
  const { secret } = begun.reply;
  await fixture.ask('confirmSecondFactor', { as: person, body: { code: codeOf(secret, -1) } });
  return secret;
}

function logIn(person: Person, code: string) {
  return fixture.ask('logIn', { body: { email: person.email, password: PASSWORD, code } });
}

describe('a second factor refuses', () => {
  it('a code that was used, so that an observer gains nothing', async () => {
    const person = await fixture.user();
    const secret = await enrol(person);
    const code = codeOf(secret);
    expect((await logIn(person, code)).status).toBe(201);
    expect((await logIn(person, code)).problem.code).toBe('second_factor_invalid');
  });

  it('the same code used many times at once, but for one', async () => {
    const person = await fixture.user();
    const secret = await enrol(person);
    const code = codeOf(secret);
    const answers = await Promise.all(Array.from({ length: 8 }, () => logIn(person, code)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('a code that is wrong or of another time', async () => {
    const person = await fixture.user();
    const secret = await enrol(person);
    expect((await logIn(person, codeOf(secret, 5))).problem.code).toBe('second_factor_invalid');
    expect((await logIn(person, codeOf(secret, -5))).problem.code).toBe('second_factor_invalid');
    expect((await logIn(person, 'AAAAA-AAAAA-AAAAA')).problem.code).toBe('second_factor_invalid');
  });

  it('to tell by its code whether the password was right', async () => {
    const person = await fixture.user();
    const secret = await enrol(person);
    const body = { email: person.email, password: 'a wrong password', code: codeOf(secret) };
    expect((await fixture.ask('logIn', { body })).problem.code).toBe('invalid_credentials');
  });

  it('to be begun, removed or renewed without the password', async () => {
    const person = await fixture.user();
    const wrong = { password: 'a wrong password' };
    const begun = await fixture.ask('beginSecondFactor', { as: person, body: wrong });
    expect(begun.problem.code).toBe('invalid_credentials');
    const secret = await enrol(person);
    for (const route of ['removeSecondFactor', 'renewRecoveryCodes'] as const) {
      const body = { ...wrong, code: codeOf(secret) };
      expect((await fixture.ask(route, { as: person, body })).problem.code).toBe(
        'invalid_credentials',
      );
      const coded = { password: PASSWORD, code: '000000' };
      expect((await fixture.ask(route, { as: person, body: coded })).problem.code).toBe(
        'second_factor_invalid',
      );
    }
    expect((await fixture.ask('getOwnUser', { as: person })).reply.secondFactor).toBe(true);
  });

  it('to be begun twice, or confirmed without being begun', async () => {
    const person = await fixture.user();
    const early = await fixture.ask('confirmSecondFactor', {
      as: person,
      body: { code: '000000' },
    });
    expect(early.problem.code).toBe('state_conflict');
    await enrol(person);
    const again = await fixture.ask('beginSecondFactor', {
      as: person,
      body: { password: PASSWORD },
    });
    expect(again.problem.code).toBe('state_conflict');
  });

  it('endless guessing', async () => {
    const slow = await createAdminFixture({
      limits: { requestsPerMinute: 1e6, guardedRequestsPerMinute: 1e6, attemptsPerSubject: 5 },
    });
    const person = await slow.user();
    const begun = await slow.ask('beginSecondFactor', { as: person, body: { password: PASSWORD } });
    const body = { code: codeOf(begun.reply.secret, -1) };
    await slow.ask('confirmSecondFactor', { as: person, body });
    const codes: string[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const guess = { email: person.email, password: PASSWORD, code: '000000' };
      codes.push((await slow.ask('logIn', { body: guess })).problem.code);
    }
    expect(codes.at(-1)).toBe('rate_limit_exceeded');
    await slow.close();
  });

  it('to be taken away by an administrator who has it, with nothing but a session', async () => {
    const admin = await fixture.admin();
    await enrol(admin);
    const params = { userId: admin.userId };
    const reset = await fixture.ask('resetSecondFactor', { as: admin, params });
    expect(reset.problem.code).toBe('state_conflict');
  });
});
