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

/** The code of the present step, or of one that many steps away. */
function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * PERIOD_MS,
  });
}

async function enrol(person: Person) {
  const begun = await fixture.ask('beginSecondFactor', {
    as: person,
    body: { password: PASSWORD },
  });
  const { secret } = begun.reply;
  // The step before: later tests then have the present one left to use.
  const confirmed = await fixture.ask('confirmSecondFactor', {
    as: person,
    body: { code: codeOf(secret, -1) },
  });
  return { secret, uri: begun.reply.uri, recoveryCodes: confirmed.reply.recoveryCodes };
}

function logIn(person: Person, code?: string) {
  const body = { email: person.email, password: PASSWORD, ...(code === undefined ? {} : { code }) };
  return fixture.ask('logIn', { body });
}

describe('a second factor', () => {
  it('is enrolled by a secret and a first code, and shows recovery codes once', async () => {
    const person = await fixture.user();
    const { uri, recoveryCodes } = await enrol(person);
    expect(uri).toMatch(/^otpauth:\/\/totp\/Weir:/);
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await fixture.ask('getOwnUser', { as: person })).reply.secondFactor).toBe(true);
    const { rows } = await fixture.pool.query('select * from recovery_codes, second_factors');
    for (const code of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code);
  });

  it('does not count before it is confirmed', async () => {
    const person = await fixture.user();
    await fixture.ask('beginSecondFactor', { as: person, body: { password: PASSWORD } });
    expect((await logIn(person)).status).toBe(201);
  });

  it('is asked for at login once the password was right', async () => {
    const person = await fixture.user();
    const { secret } = await enrol(person);
    expect((await logIn(person)).problem.code).toBe('second_factor_required');
    expect((await logIn(person, codeOf(secret))).status).toBe(201);
  });

  it('takes a recovery code in its place, each once', async () => {
    const person = await fixture.user();
    const { recoveryCodes } = await enrol(person);
    const [first = '', second = ''] = recoveryCodes;
    expect((await logIn(person, first.toLowerCase())).status).toBe(201);
    expect((await logIn(person, first)).problem.code).toBe('second_factor_invalid');
    expect((await logIn(person, second.replaceAll('-', ''))).status).toBe(201);
  });

  it('gets new recovery codes; the former ones stop', async () => {
    const person = await fixture.user();
    const { secret, recoveryCodes } = await enrol(person);
    const renewed = await fixture.ask('renewRecoveryCodes', {
      as: person,
      body: { password: PASSWORD, code: codeOf(secret) },
    });
    expect(renewed.status).toBe(201);
    expect((await logIn(person, recoveryCodes[0])).status).toBe(401);
    expect((await logIn(person, renewed.reply.recoveryCodes[0])).status).toBe(201);
  });

  it('is removed by both factors', async () => {
    const person = await fixture.user();
    const { secret } = await enrol(person);
    const removed = await fixture.ask('removeSecondFactor', {
      as: person,
      body: { password: PASSWORD, code: codeOf(secret) },
    });
    expect(removed.status).toBe(204);
    expect((await logIn(person)).status).toBe(201);
  });

  it('that was lost is reset by an administrator, who leaves an audit entry', async () => {
    const person = await fixture.user();
    const admin = await fixture.admin();
    await enrol(person);
    const params = { userId: person.userId };
    expect((await fixture.ask('resetSecondFactor', { as: admin, params })).status).toBe(204);
    expect((await logIn(person)).status).toBe(201);
    const log = await fixture.ask('listAuditEntries', {
      as: admin,
      query: { action: 'resetSecondFactor' },
    });
    expect(log.reply.data[0]).toMatchObject({ subjectId: person.userId, userId: admin.userId });
  });
});
