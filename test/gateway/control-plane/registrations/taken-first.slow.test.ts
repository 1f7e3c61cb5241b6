import type pg from 'pg';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyKey } from '../../../../gateway/data-plane/authentication/verify-key.ts';
import { askInBetween } from '../../../support/clocks/in-between.ts';
import { TEST_SECRETS } from '../../../support/seed.ts';
import { makeCatalog, makeKey } from '../support/catalog.ts';
import {
  createAdminFixture,
  PASSWORD,
  sessionCookie,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';

const CHOSEN_PASSWORD = 'the password of the owner';

let fixture: AdminFixture;
let admin: Person;
let groupId: string;
let count = 0;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  groupId = (await makeCatalog(fixture, admin)).groupId;
});
afterAll(() => fixture.close());

/** Someone who registered an address, their own or not, while no confirmation was demanded. */
async function registered(): Promise<Person> {
  count += 1;
  const email = `taken${String(count)}@example.org`;
  await fixture.ask('register', { body: { email, password: PASSWORD } });
  const login = await fixture.ask('logIn', { body: { email, password: PASSWORD } });
  const { id: userId, accountId } = login.reply.user;
  return { userId, accountId, email, cookie: sessionCookie(login.headers['set-cookie']) };
}

async function enrol(person: Person): Promise<void> {
  const begun = await fixture.ask('beginSecondFactor', {
    as: person,
    body: { password: PASSWORD },
  });
  const code = new TOTP({ secret: Secret.fromBase32(begun.reply.secret) }).generate();
  await fixture.ask('confirmSecondFactor', { as: person, body: { code } });
}

async function followNewest(email: string): Promise<void> {
  const body = { token: fixture.lastLink(email).token, password: CHOSEN_PASSWORD };
  expect((await fixture.ask('resetPassword', { body })).status).toBe(204);
}

async function reset(email: string): Promise<void> {
  await fixture.ask('requestPasswordReset', { body: { email } });
  await followNewest(email);
}

async function statusOf(value: string): Promise<string | undefined> {
  return (await verifyKey(fixture.pool, TEST_SECRETS, value))?.status;
}

function logIn(email: string) {
  return fixture.ask('logIn', { body: { email, password: CHOSEN_PASSWORD } });
}

function entriesOf(userId: string) {
  const query = { action: 'resetPassword', subjectId: userId };
  return fixture.ask('listAuditEntries', { as: admin, query });
}

describe('an address that a stranger registered first', () => {
  it('is its owner’s alone once they follow a link: the first one’s keys are disabled, the second factor is gone', async () => {
    const stranger = await registered();
    const key = await makeKey(fixture, stranger, groupId);
    const params = { keyId: key.id };
    const temporary = await fixture.ask('createTemporaryKeyValue', { as: stranger, params });
    await enrol(stranger);
    const { email, userId } = stranger;
    await fixture.ask('register', { body: { email, password: 'what the owner would like' } });
    await followNewest(email);
    expect(await statusOf(key.value)).toBe('disabled');
    expect(await statusOf(temporary.reply.value)).toBeUndefined();
    expect((await logIn(email)).status).toBe(201);
    const entry = (await entriesOf(userId)).reply.data[0];
    expect(entry).toMatchObject({
      userEmail: email,
      by: 'link',
      before: { secondFactor: true, disabledKeys: [] },
      after: { secondFactor: false, disabledKeys: [{ id: key.id, name: key.name }] },
    });
  });

  it('has keys that its owner, informed by mail, enables if they made them', async () => {
    const owner = await registered();
    const key = await makeKey(fixture, owner, groupId);
    await reset(owner.email);
    expect(fixture.lastLink(owner.email).link).toBe('http://console.test/keys');
    const login = await logIn(owner.email);
    const as = { ...owner, cookie: sessionCookie(login.headers['set-cookie']) };
    const params = { keyId: key.id };
    const body = { status: 'active' };
    await fixture.ask('updateKey', { as, anyVersion: true, params, body });
    expect(await statusOf(key.value)).toBe('active');
    // Proven by now: the next reset is about a password alone.
    await reset(owner.email);
    expect(await statusOf(key.value)).toBe('active');
  });

  it('leaves no entry when there was nothing to take away', async () => {
    const { email, userId } = await registered();
    await reset(email);
    expect((await entriesOf(userId)).reply.data).toEqual([]);
  });
});

describe('a reset leaves keys alone', () => {
  it('of an address that was confirmed before', async () => {
    const owner = await registered();
    const key = await makeKey(fixture, owner, groupId);
    await fixture.ask('requestVerification', { body: { email: owner.email } });
    await fixture.ask('verifyEmail', { body: { token: fixture.lastLink(owner.email).token } });
    await reset(owner.email);
    expect(await statusOf(key.value)).toBe('active');
  });

  it('of an account for which somebody has paid', async () => {
    const owner = await registered();
    const key = await makeKey(fixture, owner, groupId);
    await fixture.pool.query(
      `insert into orders (id, account_id, user_id, kind, amount_nano_usd, status, paid_at)
       values (gen_random_uuid(), $1, $2, 'top_up', 5000000000, 'paid', now())`,
      [owner.accountId, owner.userId],
    );
    await reset(owner.email);
    expect(await statusOf(key.value)).toBe('active');
  });

  it('of an administrator, whose first one comes with the first start', async () => {
    const other = await fixture.admin();
    const key = await makeKey(fixture, other, groupId);
    await reset(other.email);
    expect(await statusOf(key.value)).toBe('active');
  });
});

describe('a request whose session ends while it is under way', () => {
  const endSessions =
    ({ userId, accountId }: Person) =>
    async (client: pg.PoolClient) => {
      await client.query('select 1 from accounts where id = $1 for update', [accountId]);
      await client.query('select 1 from keys where account_id = $1 for update', [accountId]);
      await client.query('delete from sessions where user_id = $1', [userId]);
    };

  it('makes no key', async () => {
    const person = await registered();
    const late = await askInBetween(fixture.pool, endSessions(person), () =>
      fixture.ask('createKey', { as: person, body: { name: 'to stay', groupId } }),
    );
    expect(late.problem.code).toBe('not_authenticated');
  });

  it('enables no key', async () => {
    const person = await registered();
    const params = { keyId: (await makeKey(fixture, person, groupId)).id };
    const body = { status: 'active' };
    const late = await askInBetween(fixture.pool, endSessions(person), () =>
      fixture.ask('updateKey', { as: person, anyVersion: true, params, body }),
    );
    expect(late.problem.code).toBe('not_authenticated');
  });
});
