import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startForgedProvider,
  type ForgedProvider,
} from '../../../support/identity/forged-provider.ts';
import { applyDirectories } from '../../../../gateway/control-plane/directories/people/apply-directory.ts';
import type { AdminContext } from '../../../../gateway/control-plane/api/context.ts';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { join, openCompany, type Company } from '../support/company.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { connectDirectory, ENTERPRISE, ScimClient } from '../support/scim.ts';
import { addProvider, SignOnBrowser } from '../support/sign-on.ts';

let fixture: AdminFixture;
let provider: ForgedProvider;
let admin: Person;
let company: Company;
let catalog: Catalog;
let scim: ScimClient;
let params: { readonly signOnProviderId: string };
let teamId: string;
let rules: readonly object[];

beforeAll(async () => {
  fixture = await createAdminFixture();
  provider = await startForgedProvider();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
  company = await openCompany(fixture, await fixture.user());
  const team = await fixture.ask('createTeam', { as: company.owner, body: { name: 'Research' } });
  teamId = team.reply.id;
  const { accountId } = company;
  rules = [
    { claim: 'groups', value: 'weir-admins', accountId, role: 'administrator' },
    { claim: 'groups', value: 'researchers', accountId, role: 'member', teamId },
    { claim: 'department', value: 'Finance', accountId, role: 'billing' },
  ];
  const connected = await connectDirectory(fixture, admin, {
    slug: 'company',
    issuer: provider.issuer,
    domains: [{ domain: 'company.example', onlySignOn: false }],
    rules: rules as never,
  });
  ({ scim, params } = connected);
});
afterAll(async () => {
  await provider.close();
  await fixture.close();
});

let people = 0;
const newName = (domain = 'company.example') => {
  people += 1;
  return `person-${String(people)}@${domain}`;
};

interface Membership {
  readonly role: string;
  readonly teamId: string | null;
  readonly ended: boolean;
}

/** The membership of the company of the person with the address. */
async function membershipOf(email: string): Promise<Membership | undefined> {
  const { rows } = await fixture.pool.query<Membership>(
    `select m.role, m.team_id::text as "teamId", m.ended_at is not null as ended
     from members m join users u on u.id = m.user_id where m.account_id = $1 and u.email = $2`,
    [company.accountId, email],
  );
  return rows[0];
}

async function signOn(claims: Record<string, unknown>, slug = 'company', from = provider) {
  const browser = new SignOnBrowser(fixture);
  const url = await browser.begin({ provider: slug });
  const finished = await browser.finish(slug, from.reply(url, { claims }));
  return { browser, finished };
}

/** Enters a researcher, who signs on. */
async function newResearcher(subject: string) {
  const email = newName();
  const id = await scim.enter(email, { externalId: subject });
  const group = await scim.find('Groups', 'displayName eq "researchers"');
  const known = group.body.Resources[0]?.id ?? (await scim.group('researchers'));
  await scim.patch(`/Groups/${known}`, { op: 'add', path: 'members', value: [{ value: id }] });
  const { browser, finished } = await signOn({ sub: subject, email });
  const { person, membership } = await browser.personOf(finished);
  return { email, id, person, membership };
}

const keyStatus = async (id: string) =>
  (await fixture.pool.query<{ status: string }>('select status from keys where id = $1', [id]))
    .rows[0]?.status;

describe('groups and attributes lead to role and team, as at a sign-on', () => {
  it('and follow every change of a group: members, name, end', async () => {
    const email = newName();
    const id = await scim.enter(email);
    expect(await membershipOf(email)).toBeUndefined();
    const groupId = await scim.group('weir-admins', [id]);
    expect(await membershipOf(email)).toMatchObject({ role: 'administrator', ended: false });
    await scim.patch(`/Groups/${groupId}`, { op: 'replace', value: { displayName: 'others' } });
    expect(await membershipOf(email)).toMatchObject({ ended: true });
    const body = { displayName: 'researchers', members: [{ value: id }] };
    await scim.send('PUT', `/Groups/${groupId}`, body);
    expect(await membershipOf(email)).toEqual({ role: 'member', teamId, ended: false });
    await scim.send('PUT', `/Groups/${groupId}`, { displayName: 'researchers', members: [] });
    expect(await membershipOf(email)).toMatchObject({ ended: true });
    await scim.send('PUT', `/Groups/${groupId}`, body);
    await scim.send('DELETE', `/Groups/${groupId}`);
    expect(await membershipOf(email)).toMatchObject({ ended: true });
    await scim.patch(`/Users/${id}`, {
      op: 'Add',
      path: `${ENTERPRISE}:department`,
      value: 'Finance',
    });
    expect(await membershipOf(email)).toMatchObject({ role: 'billing', ended: false });
    const noted = await fixture.ask('listAccountAuditEntries', { as: company.owner });
    expect(noted.reply.data[0]).toMatchObject({ by: 'SCIM: company', subjectKind: 'member' });
  });

  it('and a group is matched by its id at the provider, as in Entra’s tokens', async () => {
    const email = newName();
    const id = await scim.enter(email);
    await scim.group('Weir administrators (synced)', [id], { externalId: 'weir-admins' });
    expect(await membershipOf(email)).toMatchObject({ role: 'administrator' });
  });

  it('and people follow changed rules without a sign-on', async () => {
    const email = newName();
    await scim.enter(email, { title: 'Librarian' });
    const { accountId } = company;
    const change = (more: readonly object[]) =>
      fixture.ask('updateSignOnProvider', {
        as: admin,
        anyVersion: true,
        params,
        body: { rules: [...rules, ...more] },
      });
    await change([{ claim: 'title', value: 'Librarian', accountId, role: 'viewer' }]);
    await applyDirectories({ pool: fixture.pool } as AdminContext);
    expect(await membershipOf(email)).toMatchObject({ role: 'viewer', ended: false });
    await change([]);
    await applyDirectories({ pool: fixture.pool } as AdminContext);
    expect(await membershipOf(email)).toMatchObject({ ended: true });
  });
});

describe('removal ends sessions, keys and the membership, and return brings back the membership', () => {
  it.each([
    ['PATCH', 'patch' as const],
    ['PUT', 'put' as const],
    ['DELETE', 'delete' as const],
  ])('by %s', async (_what, how) => {
    const { email, id, person, membership } = await newResearcher(`removed-${how}`);
    expect(membership).toMatchObject({ accountId: company.accountId, role: 'member' });
    const key = await makeKey(fixture, person, catalog.groupId);
    const body = { userName: email, externalId: `removed-${how}`, active: false };
    if (how === 'patch')
      await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    if (how === 'put') await scim.send('PUT', `/Users/${id}`, body);
    if (how === 'delete') await scim.send('DELETE', `/Users/${id}`);
    expect((await fixture.ask('listSessions', { as: person })).status).toBe(401);
    expect(await keyStatus(key.id)).toBe('disabled');
    expect(await membershipOf(email)).toMatchObject({ ended: true });
    const { finished } = await signOn({ sub: `removed-${how}`, email, groups: ['researchers'] });
    if (how === 'delete') {
      // The directory no longer knows them: a login, and no membership by any claim.
      expect(finished.reply.outcome).toBe('logged_in');
    } else expect(finished.problem.detail).toContain('removed you');
    expect(await membershipOf(email)).toMatchObject({ ended: true });

    // Okta enters a person again whom it has deactivated.
    const back = await scim.send('POST', '/Users', { ...body, active: true });
    expect(back.status).toBe(201);
    expect(back.body.id === id).toBe(how !== 'delete');
    if (how !== 'delete') expect(await membershipOf(email)).toMatchObject({ ended: false });
    // The person decides which keys work again.
    expect(await keyStatus(key.id)).toBe('disabled');
  });

  it('also of what a colleague gave them, but not of what is theirs', async () => {
    const email = newName();
    const person = await fixture.user(email);
    await fixture.pool.query('update users set email_verified_at = now() where id = $1', [
      person.userId,
    ]);
    const own = await makeKey(fixture, person, catalog.groupId);
    await join(fixture, company, { person, role: 'viewer' });
    const id = await scim.enter(email);
    expect(await membershipOf(email)).toMatchObject({ role: 'viewer', ended: false });
    await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
    expect(await membershipOf(email)).toMatchObject({ ended: true });
    expect(await keyStatus(own.id)).toBe('active');
    // What another owner gives them from now on is not the directory's.
    const again = await fixture.ask('logIn', {
      body: { email, password: 'correct horse battery' },
    });
    expect(again.status).toBe(201);
  });

  it('is refused for the last owner, who keeps everything', async () => {
    const { email, id, person } = await newResearcher('last-owner');
    const owned = await openCompany(fixture, person, 'Owned');
    const { accountId } = owned;
    await fixture.ask('updateSignOnProvider', {
      as: admin,
      anyVersion: true,
      params,
      body: { rules: [...rules, { claim: 'groups', value: 'none', accountId, role: 'viewer' }] },
    });
    for (const refused of [
      await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' }),
      await scim.send('DELETE', `/Users/${id}`),
    ]) {
      expect(refused.status).toBe(409);
      expect(refused.body.detail).toContain('last owner of the account "Owned"');
    }
    expect((await scim.get(`/Users/${id}`)).body.active).toBe(true);
    expect((await fixture.ask('listSessions', { as: person })).status).toBe(200);
    expect(await membershipOf(email)).toMatchObject({ ended: false });
  });
});

describe('whose login a person gets', () => {
  const loginOf = async (id: string) =>
    (
      await fixture.pool.query<{ email: string; userId: string }>(
        'select u.email, u.id as "userId" from directory_users d join users u on u.id = d.user_id where d.id = $1',
        [id],
      )
    ).rows[0];

  it('is one without a password and without credit, for a new address', async () => {
    const email = newName('anywhere.example');
    const id = await scim.enter(email);
    const { rows } = await fixture.pool.query(
      'select password_hash, registration_credit_withheld as withheld, email_verified_at as verified from users where email = $1',
      [email],
    );
    expect(rows).toEqual([{ password_hash: '', withheld: true, verified: null }]);
    // Removed and entered again, it is the same login although no one trusts the domain.
    const before = await loginOf(id);
    await scim.send('DELETE', `/Users/${id}`);
    expect(await loginOf(await scim.enter(email))).toEqual(before);
  });

  it('is never that of someone at another domain, nor an operator’s', async () => {
    const former = await fixture.user();
    for (const email of [former.email, admin.email]) {
      const refused = await scim.send('POST', '/Users', { userName: email });
      expect(refused).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    }
    await fixture.pool.query(`update users set email = 'boss@company.example' where id = $1`, [
      admin.userId,
    ]);
    expect((await scim.send('POST', '/Users', { userName: 'boss@company.example' })).status).toBe(
      409,
    );
  });

  it('is that of the address at a trusted domain, without what someone else left there', async () => {
    const email = newName();
    const former = await fixture.user(email);
    const key = await makeKey(fixture, former, catalog.groupId);
    const id = await scim.enter(email);
    expect(await loginOf(id)).toEqual({ email, userId: former.userId });
    expect((await fixture.ask('listSessions', { as: former })).status).toBe(401);
    expect(await keyStatus(key.id)).toBe('disabled');
  });

  it('is that of the identity, whatever the address is by now', async () => {
    const { person } = await newResearcher('steady');
    const { rows } = await fixture.pool.query<{ id: string }>(
      'select id from directory_users where user_id = $1',
      [person.userId],
    );
    await scim.send('DELETE', `/Users/${rows[0]?.id ?? ''}`);
    const id = await scim.enter(newName('elsewhere.example'), { externalId: 'steady' });
    expect((await loginOf(id))?.userId).toBe(person.userId);
  });

  it('follows a new address only where the provider has authority for both', async () => {
    const [email, next] = [newName(), newName()];
    const id = await scim.enter(email);
    const rename = (userName: string) =>
      scim.send('PUT', `/Users/${id}`, { userName, emails: [{ value: userName, primary: true }] });
    expect((await rename(next)).status).toBe(200);
    expect((await loginOf(id))?.email).toBe(next);
    // Elsewhere the owner of the new mailbox could have the password reset.
    expect((await rename(newName('attacker.example'))).status).toBe(200);
    expect((await loginOf(id))?.email).toBe(next);
    const taken = newName();
    await scim.enter(taken);
    expect((await rename(taken)).body).toMatchObject({ scimType: 'uniqueness' });
  });
});

describe('a sign-on with a directory', () => {
  it('takes groups from the directory alone, and links the person by the provider’s id', async () => {
    const subject = 'directory-first';
    const email = newName('private.example');
    const id = await scim.enter(email, { externalId: subject });
    await scim.group('weir-admins', [id]);
    // The token confirms no address and has no groups.
    const { browser, finished } = await signOn({ sub: subject, email });
    expect(finished.reply.outcome).toBe('logged_in');
    const { membership, person } = await browser.personOf(finished);
    expect(membership).toMatchObject({ accountId: company.accountId, role: 'administrator' });
    expect(person.email).toBe(email);
  });

  it('makes no login for a person whom the directory has not entered', async () => {
    const { finished } = await signOn({
      sub: 'unknown',
      email: newName(),
      email_verified: true,
      groups: ['researchers'],
    });
    expect(finished.problem.detail).toContain('not entered you here yet');
  });

  it('leaves members alone whom a directory that was just connected has not sent yet', async () => {
    const slug = 'entra';
    const { accountId } = company;
    const made = await addProvider(fixture, admin, {
      slug,
      preset: 'entra',
      issuer: provider.issuer,
      domains: [{ domain: 'crew.example', onlySignOn: false }],
      rules: [{ claim: 'groups', value: 'crew', accountId, role: 'member' }],
    });
    const email = newName('crew.example');
    // Entra's subject is another one in each application; `oid` is the person in its directory.
    const claims = { sub: 'pairwise', oid: 'object-1', email, xms_edov: true };
    const before = await signOn({ ...claims, groups: ['crew'] }, slug);
    const { person } = await before.browser.personOf(before.finished);
    expect(await membershipOf(email)).toMatchObject({ role: 'member', ended: false });
    const created = await fixture.ask('createDirectoryToken', {
      as: admin,
      params: { signOnProviderId: made.id },
    });
    expect((await signOn(claims, slug)).finished.reply.outcome).toBe('logged_in');
    expect(await membershipOf(email)).toMatchObject({ ended: false });

    const entra = new ScimClient(fixture, created.reply.token);
    const id = await entra.enter(newName('crew.example'), { externalId: 'object-1' });
    const { rows } = await fixture.pool.query('select user_id from directory_users where id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ user_id: person.userId }]);
    const next = newName('crew.example');
    await entra.group('crew', [await entra.enter(next, { externalId: 'object-2' })]);
    await signOn({ sub: 'pairwise-2', oid: 'object-2', email: next }, slug);
    expect(await membershipOf(next)).toMatchObject({ role: 'member' });
    const linked = await signOn({ sub: 'pairwise-2', oid: 'object-2', email: next }, slug);
    expect(linked.finished.reply.outcome).toBe('logged_in');
    const gone = await fixture.ask('deleteDirectory', {
      as: admin,
      params: { signOnProviderId: made.id },
    });
    expect(gone.status).toBe(204);
    expect((await entra.get('/Users')).status).toBe(401);
  });
});
