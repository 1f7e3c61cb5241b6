import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { join, openCompany, type Company } from '../support/company.ts';
import {
  createAdminFixture,
  PASSWORD,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;
let company: Company;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
  company = await openCompany(fixture, await fixture.user());
});
afterAll(() => fixture.close());

async function newMember(role: 'administrator' | 'member' | 'owner' | 'viewer' = 'member') {
  const person = await fixture.user();
  return { person, memberId: await join(fixture, company, { person, role }) };
}

const membershipsOf = async (person: Person) =>
  (await fixture.ask('listMemberships', { as: person })).reply.data;

describe('an existing user', () => {
  it('owns the account that was made with the login, also when a former version made both', async () => {
    const person = await fixture.user();
    expect(await membershipsOf(person)).toMatchObject([
      { accountId: person.accountId, role: 'owner', personal: true },
    ]);
    const { rows } = await fixture.pool.query<{ role: string }>(
      `with a as (insert into accounts (id, name) values (gen_random_uuid(), 'old') returning id)
       select id::text from a`,
    );
    const accountId = (rows[0] as unknown as { id: string }).id;
    await fixture.pool.query(
      `insert into users (id, account_id, email, password_hash) values (gen_random_uuid(), $1, 'old@example.org', '')`,
      [accountId],
    );
    const made = await fixture.pool.query('select role from members where account_id = $1', [
      accountId,
    ]);
    expect(made.rows).toEqual([{ role: 'owner' }]);
  });
});

describe('the last owner', () => {
  it('cannot leave or be lowered, also when two owners try at once', async () => {
    const owner = await fixture.user();
    const own = await openCompany(fixture, owner, 'Two owners');
    const { accountId } = own;
    const [first] = (await fixture.ask('listMembers', { as: owner })).reply.data;
    const lower = { params: { memberId: first?.id ?? '' }, body: { role: 'member' as const } };
    expect((await fixture.ask('updateMember', { as: owner, ...lower })).problem.code).toBe(
      'state_conflict',
    );
    const leave = { params: { accountId } };
    expect((await fixture.ask('leaveAccount', { as: owner, ...leave })).problem.code).toBe(
      'state_conflict',
    );
    const second = await fixture.user();
    await join(fixture, own, { person: second, role: 'owner' });
    const left = await Promise.all(
      [owner, second].map((as) => fixture.ask('leaveAccount', { as, ...leave })),
    );
    expect(left.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  });

  it('is no owner who may not log in', async () => {
    const { person } = await newMember('owner');
    await fixture.ask('updateUser', {
      as: admin,
      anyVersion: true,
      params: { userId: person.userId },
      body: { disabled: true },
    });
    const { accountId } = company;
    const left = await fixture.ask('leaveAccount', { as: company.owner, params: { accountId } });
    expect(left.problem.code).toBe('state_conflict');
  });
});

describe('ownership', () => {
  it('is offered by an owner and accepted by its receiver, who has to be offered it', async () => {
    const { person, memberId } = await newMember();
    const { accountId } = company;
    const acceptance = { as: person, params: { accountId } };
    expect((await fixture.ask('acceptOwnership', acceptance)).problem.code).toBe('state_conflict');
    const params = { memberId };
    const offer = { params, body: { role: 'owner' as const } };
    const { person: administrator } = await newMember('administrator');
    const refused = await fixture.ask('updateMember', { as: administrator, ...offer });
    expect(refused.problem.code).toBe('role_required');
    const offered = await fixture.ask('updateMember', { as: company.owner, ...offer });
    expect(offered.reply).toMatchObject({ role: 'member', ownershipOffered: true });
    expect((await fixture.ask('acceptOwnership', acceptance)).reply.role).toBe('owner');
    const lowered = await fixture.ask('updateMember', {
      as: administrator,
      params,
      body: { role: 'member' },
    });
    expect(lowered.problem.code).toBe('role_required');
    await fixture.ask('updateMember', { as: company.owner, params, body: { role: 'viewer' } });
    expect((await fixture.ask('acceptOwnership', acceptance)).problem.code).toBe('state_conflict');
  });

  it('that was offered can be withdrawn, and an old offer is none', async () => {
    const { person, memberId } = await newMember();
    const { accountId, owner } = company;
    const offer = (role: 'owner' | 'member') =>
      fixture.ask('updateMember', { as: owner, params: { memberId }, body: { role } });
    await offer('owner');
    expect((await offer('member')).reply.ownershipOffered).toBe(false);
    await offer('owner');
    await fixture.pool.query(
      `update members set ownership_offered_at = now() - interval '8 days' where id = $1`,
      [memberId],
    );
    const accepted = await fixture.ask('acceptOwnership', { as: person, params: { accountId } });
    expect(accepted.problem.code).toBe('state_conflict');
  });
});

describe('a person who hands over their own account and leaves it', () => {
  it('gets another of their own, and goes on being logged in', async () => {
    const person = await fixture.user();
    const successor = await fixture.user();
    const own = { accountId: person.accountId, owner: person };
    await join(fixture, own, { person: successor, role: 'owner' });
    const params = { accountId: person.accountId };
    expect((await fixture.ask('leaveAccount', { as: person, params })).status).toBe(204);
    const [membership, ...others] = await membershipsOf(person);
    expect(others).toEqual([]);
    expect(membership).toMatchObject({ role: 'owner', personal: true, accountName: person.email });
    expect(membership?.accountId).not.toBe(person.accountId);
    expect((await fixture.ask('listKeys', { as: person })).reply.data).toEqual([]);
  });
});

describe('a member who leaves or is removed', () => {
  it('loses keys, tokens and sessions of the account; service keys stay', async () => {
    const { person, memberId } = await newMember('administrator');
    const key = await makeKey(fixture, person, catalog.groupId);
    const service = await fixture.ask('createKey', {
      as: person,
      body: { name: 'service', groupId: catalog.groupId, owner: 'account' },
    });
    expect(key).toMatchObject({ owner: 'member', memberId, createdBy: person.email });
    expect(service.reply).toMatchObject({ owner: 'account', memberId: null });
    const made = await fixture.ask('createAccessToken', {
      as: person,
      body: { name: 'script', scope: 'full' },
    });
    const token = { token: made.reply.token };
    expect((await fixture.ask('listKeys', { as: token })).reply.data.length).toBeGreaterThan(1);
    await fixture.ask('removeMember', { as: company.owner, params: { memberId } });
    expect((await fixture.ask('listKeys', { as: token })).problem.code).toBe(
      'invalid_access_token',
    );
    expect((await fixture.ask('listKeys', { as: person })).reply.data).toEqual([]);
    const { data } = (await fixture.ask('listKeys', { as: company.owner })).reply;
    const stateOf = (id: string) => data.find((one) => one.id === id);
    expect(stateOf(key.id)).toMatchObject({ status: 'disabled', memberGone: true });
    expect(stateOf(service.reply.id)).toMatchObject({
      status: 'active',
      memberGone: false,
      createdBy: person.email,
    });
    const enabled = await fixture.ask('updateKey', {
      as: company.owner,
      anyVersion: true,
      params: { keyId: key.id },
      body: { status: 'active' },
    });
    expect(enabled.problem.code).toBe('state_conflict');
  });

  it('who comes back has the same membership and enables their keys', async () => {
    const { person, memberId } = await newMember();
    const key = await makeKey(fixture, person, catalog.groupId);
    const { accountId } = company;
    await fixture.ask('leaveAccount', { as: person, params: { accountId } });
    expect(await join(fixture, company, { person, role: 'member' })).toBe(memberId);
    const { data } = (await fixture.ask('listKeys', { as: person })).reply;
    expect(data).toMatchObject([{ id: key.id, status: 'disabled', memberGone: false }]);
  });

  it('is noted in the audit log with the account that the act was in', async () => {
    const { memberId } = await newMember();
    await fixture.ask('removeMember', { as: company.owner, params: { memberId } });
    const query = { action: 'removeMember', subjectId: memberId };
    const { accountId, owner } = company;
    const entry = { accountId, userEmail: owner.email, subjectKind: 'member' };
    for (const [route, as] of [
      ['listAuditEntries', admin],
      ['listAccountAuditEntries', owner],
    ] as const) {
      expect((await fixture.ask(route, { as, query })).reply.data).toMatchObject([entry]);
    }
    const elsewhere = await fixture.ask('listAccountAuditEntries', { as: admin });
    expect(elsewhere.reply.data.filter((one) => one.accountId === accountId)).toEqual([]);
  });
});

describe('keys of members', () => {
  it('are seen and changed by administrators, and their values by the member alone', async () => {
    const { person } = await newMember();
    const key = await makeKey(fixture, person, catalog.groupId);
    const params = { keyId: key.id };
    const { owner } = company;
    const disabled = await fixture.ask('updateKey', {
      as: owner,
      anyVersion: true,
      params,
      body: { status: 'disabled' },
    });
    expect(disabled.reply).toMatchObject({ status: 'disabled', memberEmail: person.email });
    for (const route of ['rotateKey', 'createTemporaryKeyValue'] as const) {
      const body = route === 'rotateKey' ? { body: { overlapSeconds: 0 } } : {};
      expect((await fixture.ask(route, { as: owner, params, ...body })).problem.code).toBe(
        'role_required',
      );
    }
    expect((await fixture.ask('deleteKey', { as: owner, params })).status).toBe(204);
  });

  it('are not for the account when a member makes them, and only for groups of the team', async () => {
    const other = await makeCatalog(fixture, admin);
    const { owner } = company;
    const body = { name: 'One group', groupIds: [catalog.groupId] };
    const teamId = (await fixture.ask('createTeam', { as: owner, body })).reply.id;
    const person = await fixture.user();
    await join(fixture, company, { person, role: 'member', teamId });
    const create = (as: Person, more: object) =>
      fixture.ask('createKey', { as, body: { name: 'a key', groupId: catalog.groupId, ...more } });
    expect((await create(person, { owner: 'account' })).problem.code).toBe('role_required');
    expect((await create(person, { groupId: other.groupId })).problem.code).toBe('invalid_value');
    expect((await create(person, {})).reply).toMatchObject({ teamId, teamName: 'One group' });
    const groups = (await fixture.ask('listGroups', { as: person })).reply.data;
    expect(groups.map(({ id }) => id)).toEqual([catalog.groupId]);
    const service = { owner: 'account', teamId };
    expect((await create(owner, service)).reply).toMatchObject({ teamId, memberId: null });
    const wrong = await create(owner, { ...service, groupId: other.groupId });
    expect(wrong.problem.code).toBe('invalid_value');
    const narrowed = { as: owner, params: { teamId }, body: { groupIds: [other.groupId] } };
    await fixture.ask('updateTeam', narrowed);
    const { data } = (await fixture.ask('listKeys', { as: person })).reply;
    expect(data).toMatchObject([{ groupState: 'closed' }]);
    const gone = await fixture.ask('deleteTeam', { as: owner, params: { teamId } });
    expect(gone.problem.code).toBe('in_use');
  });

  it('are for no group once the only group of their team was deleted, not for all', async () => {
    const { owner } = company;
    const other = await fixture.ask('createGroup', { as: admin, body: { name: 'short-lived' } });
    const body = { name: 'Limited', groupIds: [other.reply.id] };
    const teamId = (await fixture.ask('createTeam', { as: owner, body })).reply.id;
    const person = await fixture.user();
    await join(fixture, company, { person, role: 'member', teamId });
    await fixture.ask('deleteGroup', { as: admin, params: { groupId: other.reply.id } });
    const key = { name: 'a key', groupId: catalog.groupId };
    const made = await fixture.ask('createKey', { as: person, body: key });
    expect(made.problem.code).toBe('invalid_value');
    const teams = (await fixture.ask('listTeams', { as: owner })).reply.data;
    const limited = { allGroups: false, groupIds: [] };
    expect(teams.find(({ id }) => id === teamId)).toMatchObject(limited);
  });

  it('are in the same batch of an administrator for a team', async () => {
    const { owner } = company;
    const teamId = (await fixture.ask('createTeam', { as: owner, body: { name: 'Batch' } })).reply
      .id;
    const body = {
      namePrefix: 'Bot',
      count: 2,
      groupId: catalog.groupId,
      owner: 'account',
      teamId,
    };
    const { keys } = (await fixture.ask('createKeyBatch', { as: owner, body })).reply;
    expect(keys.map((key) => [key.owner, key.teamId])).toEqual([
      ['account', teamId],
      ['account', teamId],
    ]);
  });
});

describe('a page', () => {
  it('of one account is refused once the session acts in another', async () => {
    const { person } = await newMember();
    const headers = { 'weir-page-account': company.accountId };
    expect((await fixture.ask('listKeys', { as: person, headers })).status).toBe(200);
    const body = { accountId: person.accountId };
    await fixture.ask('switchAccount', { as: person, body });
    const stale = await fixture.ask('listKeys', { as: person, headers });
    expect(stale.problem).toMatchObject({ status: 409, code: 'session_changed' });
  });
});

describe('an idempotency key', () => {
  it('of one account does not repeat its reply in another', async () => {
    const { person, memberId } = await newMember('administrator');
    const headers = { 'idempotency-key': 'one-and-the-same' };
    const body = { namePrefix: 'Bot', count: 1, groupId: catalog.groupId };
    const first = await fixture.ask('createKeyBatch', { as: person, headers, body });
    expect(first.reply.keys).toMatchObject([{ memberId }]);
    await fixture.ask('switchAccount', { as: person, body: { accountId: person.accountId } });
    const second = await fixture.ask('createKeyBatch', { as: person, headers, body });
    expect(second.status).toBeGreaterThanOrEqual(400);
    expect(second.text).not.toContain(first.reply.keys[0]?.id);
  });
});

describe('a bulk change of keys', () => {
  it('of a plain member reaches the own keys alone, by their ids and by a filter', async () => {
    const { person } = await newMember();
    const { person: other } = await newMember();
    const name = 'bulk of a member';
    const body = { name, groupId: catalog.groupId };
    const own = (await fixture.ask('createKey', { as: person, body })).reply;
    const foreign = (await fixture.ask('createKey', { as: other, body })).reply;
    const disable = { status: 'disabled' as const };
    const ids = { ids: [own.id, foreign.id], ...disable };
    const byIds = await fixture.ask('changeOwnKeysInBulk', { as: person, body: ids });
    expect(byIds.reply).toMatchObject({ changed: 1, notChanged: [{ reason: 'not_found' }] });
    const matching = { matching: { search: name, count: 1 }, delete: true as const };
    const byFilter = await fixture.ask('changeOwnKeysInBulk', { as: person, body: matching });
    expect(byFilter.reply).toMatchObject({ matched: 1, changed: 1 });
    const { data } = (await fixture.ask('listKeys', { as: other, query: { search: name } })).reply;
    expect(data).toMatchObject([{ id: foreign.id, status: 'active' }]);
  });
});

describe('a deleted account', () => {
  it('ends the memberships of its people in others, and refuses to leave one without an owner', async () => {
    const { person } = await newMember();
    const key = await makeKey(fixture, person, catalog.groupId);
    const sole = await openCompany(fixture, person, 'Sole');
    const params = { accountId: person.accountId };
    const refused = await fixture.ask('deleteAccount', { as: admin, params });
    expect(refused.problem.detail).toContain('Sole');
    await fixture.ask('deleteAccount', { as: admin, params: { accountId: sole.accountId } });
    expect((await fixture.ask('deleteAccount', { as: admin, params })).status).toBe(204);
    const members = await fixture.ask('listMembers', { as: company.owner });
    expect(members.text).not.toContain(person.userId);
    const { data } = (await fixture.ask('listKeys', { as: company.owner })).reply;
    expect(data.find(({ id }) => id === key.id)).toMatchObject({ memberGone: true });
    const body = { email: person.email, password: PASSWORD };
    expect((await fixture.ask('logIn', { body })).problem.code).toBe('invalid_credentials');
  });

  it('leaves the other members their login', async () => {
    const owner = await fixture.user();
    const person = await fixture.user();
    const own = await openCompany(fixture, owner, 'Closing');
    await join(fixture, own, { person, role: 'member' });
    await fixture.ask('deleteAccount', { as: admin, params: { accountId: own.accountId } });
    expect(await membershipsOf(person)).toMatchObject([{ accountId: person.accountId }]);
    expect((await fixture.ask('getOwnAccount', { as: person })).reply.id).toBe(person.accountId);
  });
});
