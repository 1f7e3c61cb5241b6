import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startIdentityProvider,
  type IdentityProvider,
  type ProviderPerson,
} from '../../../support/identity/identity-provider.ts';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { openCompany, type Company } from '../support/company.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { addProvider, callbackOf, SignOnBrowser } from '../support/sign-on.ts';

const SLUG = 'company';

let fixture: AdminFixture;
let provider: IdentityProvider;
let admin: Person;
let company: Company;
let catalog: Catalog;
let teamId: string;
let providerId: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  provider = await startIdentityProvider({ redirectUris: [callbackOf(SLUG), callbackOf('open')] });
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
  company = await openCompany(fixture, await fixture.user());
  const team = { name: 'Research' };
  teamId = (await fixture.ask('createTeam', { as: company.owner, body: team })).reply.id;
  const { accountId } = company;
  const made = await addProvider(fixture, admin, {
    slug: SLUG,
    issuer: provider.issuer,
    domains: [{ domain: 'company.example', onlySignOn: false }],
    rules: [
      { claim: 'groups', value: 'weir-admins', accountId, role: 'administrator' },
      { claim: 'groups', value: 'researchers', accountId, role: 'member', teamId },
    ],
  });
  providerId = made.id;
  await addProvider(fixture, admin, { slug: 'open', issuer: provider.issuer, signUp: 'anyone' });
});
afterAll(async () => {
  await provider.close();
  await fixture.close();
});

let subjects = 0;

/** Someone whom the provider knows. */
function newPerson(person: ProviderPerson = {}) {
  subjects += 1;
  const subject = `person-${String(subjects)}`;
  const email = `${subject}@company.example`;
  provider.setPerson(subject, { email, email_verified: true, ...person });
  return { subject, email: person.email ?? email };
}

async function signOn(subject: string, slug = SLUG) {
  const browser = new SignOnBrowser(fixture);
  const url = await browser.begin({ provider: slug });
  const finished = await browser.finish(
    slug,
    await provider.browser().authorize(url.href, subject),
  );
  return { browser, finished };
}

async function signedOn(subject: string, slug = SLUG) {
  const { browser, finished } = await signOn(subject, slug);
  expect(finished.reply.outcome).toBe('logged_in');
  return browser.personOf(finished);
}

describe('the first sign-on', () => {
  it('makes a login that begins in the mapped account, with role and team, and without credit', async () => {
    const { subject, email } = newPerson({ groups: ['staff', 'researchers'] });
    const { person, membership } = await signedOn(subject);
    expect(person.email).toBe(email);
    expect(membership).toMatchObject({
      accountId: company.accountId,
      role: 'member',
      teamName: 'Research',
    });
    const { rows } = await fixture.pool.query(
      'select issuer, subject, email from identities where user_id = $1',
      [person.userId],
    );
    expect(rows).toEqual([{ issuer: provider.issuer, subject, email }]);
    // The same person the next time.
    expect((await signedOn(subject)).person.userId).toBe(person.userId);
  });

  it('links the login of the address where the provider confirms it and has the domain', async () => {
    const { subject, email } = newPerson({ groups: ['researchers'] });
    const user = await fixture.user(email);
    const { person } = await signedOn(subject);
    expect(person.userId).toBe(user.userId);
  });

  it('takes what a stranger has who registered the address first', async () => {
    const { subject, email } = newPerson({ groups: ['researchers'] });
    const stranger = await fixture.user(email);
    const key = await makeKey(fixture, stranger, catalog.groupId);
    await signedOn(subject);
    expect((await fixture.ask('listSessions', { as: stranger })).status).toBe(401);
    const { rows } = await fixture.pool.query(
      'select k.status, u.password_hash from keys k join users u on u.account_id = k.account_id where k.id = $1',
      [key.id],
    );
    expect(rows).toEqual([{ status: 'disabled', password_hash: '' }]);
  });

  it('registers a person as the registration mode allows, with its credit', async () => {
    const settings = (body: object) =>
      fixture.ask('updateSettings', { as: admin, anyVersion: true, body });
    await settings({ registrationCreditUsd: '2', registrationMode: 'closed' });
    const { subject } = newPerson({ email: 'someone@public.example' });
    const { finished } = await signOn(subject, 'open');
    expect(finished.problem.code).toBe('registration_closed');
    await settings({ registrationMode: 'open' });
    const { person } = await signedOn(subject, 'open');
    const account = await fixture.ask('getOwnAccount', { as: person });
    expect(account.reply.balance?.availableUsd).toMatch(/^2(\.0+)?$/);
    await settings({ registrationCreditUsd: '0', registrationMode: 'closed' });
  });
});

describe('rules', () => {
  it('change role and team at the next sign-on, and end the membership with its keys', async () => {
    const { subject, email } = newPerson({ groups: ['researchers'] });
    const first = await signedOn(subject);
    const key = await makeKey(fixture, first.person, catalog.groupId);
    provider.setPerson(subject, { email, email_verified: true, groups: ['weir-admins'] });
    const second = await signedOn(subject);
    expect(second.membership).toMatchObject({ role: 'administrator', teamName: null });
    provider.setPerson(subject, { email, email_verified: true, groups: [] });
    const third = await signedOn(subject);
    expect(third.memberships.map(({ personal }) => personal)).toEqual([true]);
    const { rows } = await fixture.pool.query('select status from keys where id = $1', [key.id]);
    expect(rows).toEqual([{ status: 'disabled' }]);
    const noted = await fixture.ask('listAccountAuditEntries', { as: company.owner });
    const own = noted.reply.data.filter(
      ({ action, userEmail }) => action === 'finishSignOn' && userEmail === email,
    );
    expect(own.map(({ subjectKind }) => subjectKind)).toContain('member');
    expect(own[0]?.by).toBe('sign-on: company');
  });

  const inviteViewer = async (person: Person) => {
    const invited = await fixture.ask('inviteMember', {
      as: company.owner,
      body: { role: 'viewer' },
    });
    const token = invited.reply.link?.split('#token=')[1] ?? '';
    await fixture.ask('acceptMemberInvitation', { as: person, body: { token } });
  };

  it('leave a membership alone to which people invite someone whom the rules have removed', async () => {
    const { subject, email } = newPerson({ groups: ['researchers'] });
    await signedOn(subject);
    provider.setPerson(subject, { email, email_verified: true, groups: [] });
    await inviteViewer((await signedOn(subject)).person);
    const { memberships } = await signedOn(subject);
    expect(memberships.map(({ role }) => role).toSorted()).toEqual(['owner', 'viewer']);
  });

  it('leave memberships alone that people manage', async () => {
    const { subject, email } = newPerson({ groups: ['researchers'] });
    await inviteViewer(await fixture.user(email));
    expect((await signedOn(subject)).membership.role).toBe('viewer');
    provider.setPerson(subject, { email, email_verified: true, groups: [] });
    const { memberships } = await signedOn(subject);
    expect(memberships.map(({ role }) => role).toSorted()).toEqual(['owner', 'viewer']);
  });

  it('never end or lower the last owner, and say so in the audit log', async () => {
    const founder = await fixture.user();
    const own = await openCompany(fixture, founder, 'Handed over');
    const { accountId } = own;
    const rules = [{ claim: 'groups', value: 'founders', accountId, role: 'member' as const }];
    const before = await fixture.ask('getSignOnProvider', {
      as: admin,
      params: { signOnProviderId: providerId },
    });
    const kept = before.reply.rules.map(({ accountName: _name, teamName: _team, ...rule }) => rule);
    const update = (body: object) =>
      fixture.ask('updateSignOnProvider', {
        as: admin,
        anyVersion: true,
        params: { signOnProviderId: providerId },
        body,
      });
    expect((await update({ rules: [...kept, ...rules] })).status).toBe(200);
    const { subject, email } = newPerson({ groups: ['founders'] });
    const { person } = await signedOn(subject);
    await fixture.pool.query(
      `update members set role = 'owner' where account_id = $1 and user_id = $2`,
      [accountId, person.userId],
    );
    await fixture.ask('leaveAccount', { as: founder, params: { accountId } });
    expect((await signedOn(subject)).membership).toMatchObject({ accountId, role: 'owner' });
    provider.setPerson(subject, { email, email_verified: true, groups: [] });
    const { memberships } = await signedOn(subject);
    expect(memberships.map((one) => one.accountId)).toContain(accountId);
    const { rows } = await fixture.pool.query(
      `select after ->> 'kept' as kept from audit_entries where account_id = $1 and after ? 'kept'`,
      [accountId],
    );
    expect(rows).toEqual([{ kept: 'last_owner' }]);
    await update({ rules: kept });
  });
});

describe('an identity', () => {
  it('is linked by the person who is logged in, and unlinked, but not the last way in', async () => {
    const user = await fixture.user();
    const { subject } = newPerson({ email: 'other@elsewhere.example', email_verified: false });
    const browser = new SignOnBrowser(fixture);
    const url = await browser.beginLink(user, SLUG);
    const back = await provider.browser().authorize(url.href, subject);
    const linked = await browser.finish(SLUG, back);
    expect(linked.reply).toMatchObject({ outcome: 'linked', to: '/account/security' });
    expect((await signedOn(subject)).person.userId).toBe(user.userId);
    const { data } = (await fixture.ask('listIdentities', { as: user })).reply;
    expect(data).toMatchObject([{ removable: true, provider: { slug: SLUG } }]);
    const unlink = () =>
      fixture.ask('unlinkIdentity', { as: user, params: { identityId: data[0]?.id ?? '' } });
    await fixture.pool.query(`update users set password_hash = '' where id = $1`, [user.userId]);
    expect((await unlink()).problem.code).toBe('state_conflict');
    await fixture.pool.query(`update users set password_hash = 'x' where id = $1`, [user.userId]);
    expect((await unlink()).status).toBe(204);
    expect((await fixture.ask('listIdentities', { as: user })).reply.data).toEqual([]);
  });

  it('is not unlinked while its provider manages a membership', async () => {
    const { subject, email } = newPerson({ groups: ['researchers'] });
    await fixture.user(email);
    const { person } = await signedOn(subject);
    const { data } = (await fixture.ask('listIdentities', { as: person })).reply;
    const params = { identityId: data[0]?.id ?? '' };
    const refused = await fixture.ask('unlinkIdentity', { as: person, params });
    expect(refused.problem.detail).toContain('comes from this provider');
  });
});

describe('a domain for sign-on only', () => {
  const only = (onlySignOn: boolean) =>
    fixture.ask('updateSignOnProvider', {
      as: admin,
      anyVersion: true,
      params: { signOnProviderId: providerId },
      body: { domains: [{ domain: 'company.example', onlySignOn }] },
    });

  it('is found by the address, and refuses passwords, resets and registrations alike', async () => {
    const known = await fixture.user('known@company.example');
    expect((await only(true)).status).toBe(200);
    expect((await fixture.ask('listSessions', { as: known })).status).toBe(401);
    const looked = await fixture.ask('lookUpSignOn', { body: { email: 'x@company.example' } });
    expect(looked.reply).toMatchObject({ provider: { slug: SLUG }, onlySignOn: true });
    for (const email of [known.email, 'unknown@company.example']) {
      const password = 'correct horse battery';
      const tried = [
        await fixture.ask('logIn', { body: { email, password } }),
        await fixture.ask('requestPasswordReset', { body: { email } }),
        await fixture.ask('register', { body: { email, password } }),
      ];
      expect(tried.map(({ problem }) => problem.code)).toEqual([
        'sign_on_required',
        'sign_on_required',
        'sign_on_required',
      ]);
    }
    await only(false);
  });

  it('lets the person in whom the operator has exempted from the shell', async () => {
    const { email } = await fixture.user('breakglass@company.example');
    await only(true);
    await fixture.pool.query('update users set sign_on_exempt = true where email = $1', [email]);
    const logIn = (password: string) => fixture.ask('logIn', { body: { email, password } });
    expect((await logIn('correct horse battery')).status).toBe(201);
    expect((await logIn('a wrong password')).problem.code).toBe('sign_on_required');
    await only(false);
  });
});

describe('testing a provider', () => {
  it('finds a wrong secret', async () => {
    const test = async (clientSecret: string) => {
      const params = { signOnProviderId: providerId };
      await fixture.ask('updateSignOnProvider', {
        as: admin,
        anyVersion: true,
        params,
        body: { clientSecret },
      });
      const { reply } = await fixture.ask('testSignOnProvider', { as: admin, params });
      return Object.fromEntries(reply.checks.map(({ check, passed }) => [check, passed]));
    };
    expect(await test('wrong')).toMatchObject({ discovery: true, keys: true, client: false });
    const right = await test('the-secret-of-the-client-of-weir');
    expect(right).toEqual({ discovery: true, keys: true, client: true, logout: true });
  });
});
