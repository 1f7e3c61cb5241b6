/** Nobody but the owner of a key switches its content log on or reads it, whatever their role. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MEMBER_ROLES, type MemberRole } from '@weir/shared/api/permissions';
import { captured, write } from '../../content-log/support/content-fixture.ts';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { join, openCompany, type Company } from '../support/company.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let support: Person;
let catalog: Catalog;
let company: Company;
/** The member whose key it is. */
let holder: Person;
const others = new Map<MemberRole, Person>();
let own: string;
let service: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  support = await fixture.support();
  catalog = await makeCatalog(fixture, admin);
  company = await openCompany(fixture, await fixture.user());
  holder = await fixture.user();
  await join(fixture, company, { person: holder, role: 'member' });
  for (const role of MEMBER_ROLES) {
    const person = await fixture.user();
    await join(fixture, company, { person, role: role === 'owner' ? 'administrator' : role });
    if (role === 'owner') {
      await fixture.pool.query(
        `update members set role = 'owner' where user_id = $1 and account_id = $2`,
        [person.userId, company.accountId],
      );
    }
    others.set(role, person);
  }
  own = await makeKey(holder);
  service = await makeKey(company.owner, { owner: 'account' });
});
afterAll(() => fixture.close());

async function makeKey(as: Person, body: object = {}): Promise<string> {
  const { groupId } = catalog;
  const made = await fixture.ask('createKey', { as, body: { name: 'key', groupId, ...body } });
  return made.reply.id;
}

const ON = { enabled: true, days: 7 };

async function switchOn(as: Person, keyId: string): Promise<string> {
  const answered = await fixture.ask('setContentLog', { as, params: { keyId }, body: ON });
  return answered.status < 400 ? 'done' : answered.problem.code;
}

async function keep(keyId: string): Promise<string> {
  const content = captured({ keyId, accountId: company.accountId });
  await write(fixture.pool, [content]);
  return content.requestId;
}

async function read(as: Person, requestId: string): Promise<number> {
  return (await fixture.ask('getOwnContent', { as, params: { requestId } })).status;
}

describe('a content log is switched on', () => {
  it.each(MEMBER_ROLES)('for the key of another member by no %s', async (role) => {
    const person = others.get(role);
    const expected = role === 'member' ? 'not_found' : 'role_required';
    expect(await switchOn(person ?? admin, own)).toBe(expected);
    expect(
      (await fixture.ask('getKeyOfAnyone', { as: admin, params: { keyId: own } })).reply.contentLog,
    ).toBeNull();
  });

  it.each(MEMBER_ROLES)('for a key of the account by no %s who did not create it', async (role) => {
    const expected = role === 'member' ? 'not_found' : 'role_required';
    expect(await switchOn(others.get(role) ?? admin, service)).toBe(expected);
  });

  it('by no operator, and by nobody of another account', async () => {
    for (const person of [admin, support, await fixture.user()]) {
      for (const keyId of [own, service]) expect(await switchOn(person, keyId)).toBe('not_found');
    }
  });

  it('with no access token, also one of the owner', async () => {
    const body = { name: 'token', scope: 'full' };
    const { reply } = await fixture.ask('createAccessToken', { as: holder, body });
    const answered = await fixture.ask('setContentLog', {
      as: { token: reply.token },
      params: { keyId: own },
      body: ON,
    });
    expect(answered.problem.code).toBe('session_required');
  });

  it('by an operator through no other field of a key', async () => {
    for (const body of [{ contentLog: { days: 7 } }, { status: 'active', contentLog: true }]) {
      const answered = await fixture.ask('updateKeyOfAnyone', {
        as: admin,
        params: { keyId: own },
        anyVersion: true,
        body,
      });
      expect(answered.status).toBe(400);
    }
  });

  it('by an administrator with a bulk change of no kind', async () => {
    const body = { ids: [own], contentLog: { days: 7 } };
    const as = others.get('administrator');
    expect((await fixture.ask('changeOwnKeysInBulk', { as, body })).status).toBe(400);
    expect((await fixture.ask('changeKeysInBulk', { as: admin, body })).status).toBe(400);
  });

  it.each([
    [{ enabled: true }, 'days'],
    [{ enabled: true, days: 0 }, 'days'],
    [{ enabled: true, days: 31 }, 'days'],
    [{ enabled: true, days: 1.5 }, 'days'],
    [{ days: 7 }, 'enabled'],
  ])('not with %j', async (body, field) => {
    const answered = await fixture.ask('setContentLog', {
      as: holder,
      params: { keyId: own },
      body,
    });
    expect(answered.status).toBe(400);
    expect(JSON.stringify(answered.problem)).toContain(field);
  });

  it('by the creator of a key who no longer manages keys of the account', async () => {
    const person = await fixture.user();
    await join(fixture, company, { person, role: 'administrator' });
    const keyId = await makeKey(person, { owner: 'account' });
    expect(await switchOn(person, keyId)).toBe('done');
    const requestId = await keep(keyId);
    expect(await read(person, requestId)).toBe(200);
    await fixture.pool.query(
      `update members set role = 'member' where user_id = $1 and account_id = $2`,
      [person.userId, company.accountId],
    );
    expect(await switchOn(person, keyId)).toBe('not_found');
    expect(await read(person, requestId)).toBe(404);
  });
});

describe('content is read', () => {
  let requestId: string;
  let ofService: string;

  beforeAll(async () => {
    await switchOn(holder, own);
    await switchOn(company.owner, service);
    requestId = await keep(own);
    ofService = await keep(service);
  });

  it('by the owner of the key', async () => {
    expect(await read(holder, requestId)).toBe(200);
    expect(await read(company.owner, ofService)).toBe(200);
  });

  it.each(MEMBER_ROLES)('by no %s of the account whose key it is not', async (role) => {
    const person = others.get(role) ?? admin;
    expect(await read(person, requestId)).toBe(404);
    expect(await read(person, ofService)).toBe(404);
  });

  it('by no one of another account, and by no operator as a customer', async () => {
    for (const person of [admin, support, await fixture.user()]) {
      expect(await read(person, requestId)).toBe(404);
    }
  });

  it('by no operator, unless the account allows it', async () => {
    for (const as of [admin, support]) {
      const answered = await fixture.ask('getContent', { as, params: { requestId } });
      expect(answered.problem.code).toBe('role_required');
      expect(answered.text).not.toContain('"model":"m"');
    }
  });

  it('by no customer through the route of operators', async () => {
    const answered = await fixture.ask('getContent', { as: company.owner, params: { requestId } });
    expect(answered.problem.code).toBe('role_required');
  });

  it('with no access token', async () => {
    const body = { name: 'token', scope: 'full' };
    const { reply } = await fixture.ask('createAccessToken', { as: holder, body });
    const as = { token: reply.token };
    const answered = await fixture.ask('getOwnContent', { as, params: { requestId } });
    expect(answered.problem.code).toBe('session_required');
  });

  it('by no member who has left, although the operator still serves keys of the account', async () => {
    const person = await fixture.user();
    await join(fixture, company, { person, role: 'member' });
    const keyId = await makeKey(person);
    await switchOn(person, keyId);
    const kept = await keep(keyId);
    await fixture.ask('leaveAccount', { as: person, params: { accountId: company.accountId } });
    expect(await read(person, kept)).toBe(404);
  });
});

describe('the policy of an account is changed', () => {
  it.each(MEMBER_ROLES.filter((role) => role !== 'owner'))('by no %s', async (role) => {
    for (const body of [
      { allowed: false },
      { supportUntil: new Date(Date.now() + 60_000).toISOString() },
    ]) {
      const answered = await fixture.ask('updateContentPolicy', { as: others.get(role), body });
      expect(answered.problem.code).toBe('role_required');
    }
  });

  it.each([
    ['in the past', -1_000],
    ['in 31 days', 31 * 86_400_000],
  ])('not to let operators in until a time %s', async (_when, fromNowMs) => {
    const body = { supportUntil: new Date(Date.now() + fromNowMs).toISOString() };
    const answered = await fixture.ask('updateContentPolicy', { as: company.owner, body });
    expect(answered.problem).toMatchObject({ code: 'invalid_value' });
    expect(answered.text).toContain('supportUntil');
  });
});

describe('an operator who allows no content log', () => {
  it('lets no one switch one on, and shows what is kept to no one', async () => {
    const strict = await createAdminFixture({ config: { contentLogDaysMax: 0 } });
    const boss = await strict.admin();
    const { groupId } = await makeCatalog(strict, boss);
    const person = await strict.user();
    const made = await strict.ask('createKey', { as: person, body: { name: 'key', groupId } });
    const params = { keyId: made.reply.id };
    const answered = await strict.ask('setContentLog', { as: person, params, body: ON });
    expect(answered.problem.code).toBe('state_conflict');
    const policy = await strict.ask('getContentPolicy', { as: person });
    expect(policy.reply.daysMax).toBe(0);
    await strict.close();
  });
});
