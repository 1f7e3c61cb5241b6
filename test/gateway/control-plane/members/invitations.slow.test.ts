import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invite, join, openCompany, tokenOf, type Company } from '../support/company.ts';
import { startFakeSmtp, type FakeSmtp } from '../support/fakes/fake-smtp.ts';
import {
  createAdminFixture,
  PASSWORD,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';

let smtp: FakeSmtp;
let fixture: AdminFixture;
let admin: Person;
let company: Company;

beforeAll(async () => {
  smtp = await startFakeSmtp();
  fixture = await createAdminFixture({ config: { smtpUrl: smtp.url } });
  admin = await fixture.admin();
  company = await openCompany(fixture, await fixture.user());
});
afterAll(async () => {
  await fixture.close();
  smtp.close();
});

function accept(as: Person, token: string) {
  return fixture.ask('acceptMemberInvitation', { as, body: { token } });
}

/** The refusals of an invitation in the company's audit log, newest first. */
async function refusalsOf(invitationId: string) {
  const query = { subjectKind: 'member_invitation', subjectId: invitationId };
  const log = await fixture.ask('listAccountAuditEntries', { as: company.owner, query });
  return log.reply.data.flatMap(({ after, userEmail, accountId }) => {
    const { refused } = (after ?? {}) as { refused?: string };
    return refused === undefined ? [] : [{ refused, userEmail, accountId }];
  });
}

describe('an invitation with a budget', () => {
  it('gives the budget with the membership, and refuses what is no amount', async () => {
    const { owner } = company;
    const guest = await fixture.user();
    const body = { role: 'member', budget: { monthUsd: '12.5', dayUsd: '1' } };
    const invited = await fixture.ask('inviteMember', { as: owner, body });
    expect(invited.reply.budget).toEqual({ totalUsd: null, dayUsd: '1', monthUsd: '12.5' });
    await accept(guest, tokenOf(invited.reply.link));
    const { reply } = await fixture.ask('listBudgets', { as: owner });
    expect(reply.data.find(({ name }) => name === guest.email)).toMatchObject({
      kind: 'member',
      totalUsd: null,
      dayUsd: '1',
      monthUsd: '12.5',
    });
    const wrong = { role: 'member', budget: { monthUsd: '-1' } };
    expect((await fixture.ask('inviteMember', { as: owner, body: wrong })).problem.code).toBe(
      'invalid_value',
    );
  });
});

describe('an invitation by mail', () => {
  it('lets a person with a login in, who then acts in the account with role and team', async () => {
    const { owner, accountId } = company;
    const team = await fixture.ask('createTeam', { as: owner, body: { name: 'Research' } });
    const guest = await fixture.user();
    const body = { email: guest.email.toUpperCase(), role: 'viewer', teamId: team.reply.id };
    const invited = await fixture.ask('inviteMember', { as: owner, body });
    expect(invited.reply).toMatchObject({ email: guest.email, status: 'open', link: null });
    const token = await smtp.takeToken(guest.email);
    const preview = await fixture.ask('lookUpMemberInvitation', { body: { token } });
    expect(preview.reply).toMatchObject({
      accountName: 'Company',
      role: 'viewer',
      teamName: 'Research',
      invitedBy: owner.email,
      email: guest.email,
    });
    const joined = await accept(guest, token);
    expect(joined.reply).toMatchObject({ accountId, role: 'viewer', teamName: 'Research' });
    expect((await fixture.ask('getPresence', { as: guest })).reply).toMatchObject({
      user: { id: guest.userId, accountId: guest.accountId },
      membership: { accountId, role: 'viewer' },
    });
    const own = { as: guest, body: { accountId: guest.accountId } };
    expect((await fixture.ask('switchAccount', own)).reply.role).toBe('owner');
    expect((await fixture.ask('getOwnAccount', { as: guest })).reply.id).toBe(guest.accountId);
  });

  it('lets a person without a login register where registration is closed, the address proven', async () => {
    const settings = { registrationMode: 'closed', emailVerificationRequired: true };
    await fixture.ask('updateSettings', { as: admin, anyVersion: true, body: settings });
    const email = 'newcomer@example.org';
    await fixture.ask('inviteMember', { as: company.owner, body: { email, role: 'member' } });
    const memberInvitationToken = await smtp.takeToken(email);
    const refused = await fixture.ask('register', { body: { email, password: PASSWORD } });
    expect(refused.problem.code).toBe('registration_closed');
    const body = { email, password: PASSWORD, memberInvitationToken };
    expect((await fixture.ask('register', { body })).reply.next).toBe('login');
    const login = await fixture.ask('logIn', { body: { email, password: PASSWORD } });
    expect(login.reply.user.emailVerified).toBe(true);
    const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
    const { id: userId, accountId } = login.reply.user;
    const person = { userId, accountId, email, cookie };
    expect((await accept(person, memberInvitationToken)).reply.role).toBe('member');
    const open = { registrationMode: 'open', emailVerificationRequired: false };
    await fixture.ask('updateSettings', { as: admin, anyVersion: true, body: open });
  });

  it('is refused to another address, with a login or without, and that is in the audit log', async () => {
    const email = 'invited@example.org';
    const body = { email, role: 'administrator' };
    const invited = await fixture.ask('inviteMember', { as: company.owner, body });
    const token = await smtp.takeToken(email);
    const thief = await fixture.user();
    expect((await accept(thief, token)).problem).toMatchObject({
      status: 403,
      code: 'invitation_invalid',
    });
    const other = { email: 'thief@example.org', password: PASSWORD, memberInvitationToken: token };
    expect((await fixture.ask('register', { body: other })).problem.code).toBe(
      'invitation_invalid',
    );
    const { accountId } = company;
    expect(await refusalsOf(invited.reply.id)).toEqual([
      { refused: 'other_address', userEmail: null, accountId },
      { refused: 'other_address', userEmail: thief.email, accountId },
    ]);
    expect((await fixture.ask('listMemberships', { as: thief })).reply.data).toHaveLength(1);
  });

  it('is replaced by a later one to the same address', async () => {
    const guest = await fixture.user();
    const body = { email: guest.email, role: 'member' };
    await fixture.ask('inviteMember', { as: company.owner, body });
    const former = await smtp.takeToken(guest.email);
    await fixture.ask('inviteMember', { as: company.owner, body });
    const token = await smtp.takeToken(guest.email);
    expect((await accept(guest, former)).problem.code).toBe('invitation_invalid');
    expect((await accept(guest, token)).status).toBe(201);
    const again = await fixture.ask('inviteMember', { as: company.owner, body });
    expect(again.problem).toMatchObject({ code: 'already_exists', errors: [{ field: 'email' }] });
  });
});

describe('an invitation by a link', () => {
  it('works once: the second person is refused, and that is in the audit log', async () => {
    const { id, token } = await invite(fixture, company, { role: 'member' });
    const [first, second] = [await fixture.user(), await fixture.user()];
    expect((await accept(first, token)).status).toBe(201);
    expect((await accept(second, token)).problem.code).toBe('invitation_invalid');
    expect((await accept(first, token)).problem.code).toBe('invitation_invalid');
    const refusals = await refusalsOf(id);
    expect(refusals.map(({ refused }) => refused)).toEqual(['accepted', 'accepted']);
    expect(refusals.map(({ userEmail }) => userEmail)).toEqual([first.email, second.email]);
    const lookup = await fixture.ask('lookUpMemberInvitation', { body: { token } });
    expect(lookup.problem.code).toBe('invitation_invalid');
  });

  it('lets one in when two people accept it at once', async () => {
    const { token } = await invite(fixture, company, { role: 'member' });
    const people = [await fixture.user(), await fixture.user(), await fixture.user()];
    const tried = await Promise.all(people.map((person) => accept(person, token)));
    expect(tried.map(({ status }) => status).toSorted()).toEqual([201, 403, 403]);
  });

  it('that expired or was withdrawn is refused, and that is in the audit log', async () => {
    const guest = await fixture.user();
    const expired = await invite(fixture, company, { role: 'member' });
    const expire = 'update member_invitations set expires_at = now() where id = $1';
    await fixture.pool.query(expire, [expired.id]);
    expect((await accept(guest, expired.token)).problem.code).toBe('invitation_invalid');
    const withdrawn = await invite(fixture, company, { role: 'member' });
    const params = { memberInvitationId: withdrawn.id };
    await fixture.ask('withdrawMemberInvitation', { as: company.owner, params });
    expect((await accept(guest, withdrawn.token)).problem.code).toBe('invitation_invalid');
    expect(await refusalsOf(expired.id)).toMatchObject([{ refused: 'expired' }]);
    expect(await refusalsOf(withdrawn.id)).toMatchObject([{ refused: 'withdrawn' }]);
    const again = await fixture.ask('withdrawMemberInvitation', { as: company.owner, params });
    expect(again.problem.code).toBe('state_conflict');
  });

  it('admits few registrations, and nothing that is left says which addresses are known', async () => {
    await fixture.ask('updateSettings', {
      as: admin,
      anyVersion: true,
      body: { registrationMode: 'closed' },
    });
    const { token: memberInvitationToken } = await invite(fixture, company, { role: 'member' });
    const known = await fixture.user();
    const codes = [];
    for (const email of [known.email, ...'abcde'.split('').map((one) => `${one}@example.net`)]) {
      const body = { email, password: PASSWORD, memberInvitationToken };
      const { status, text } = await fixture.ask('register', { body });
      codes.push(status === 202 ? text : 'refused');
    }
    expect(new Set(codes.slice(0, 5)).size).toBe(1);
    expect(codes[5]).toBe('refused');
    await fixture.ask('updateSettings', {
      as: admin,
      anyVersion: true,
      body: { registrationMode: 'open' },
    });
  });

  it('that nobody made is refused without an entry', async () => {
    const guest = await fixture.user();
    const refused = await accept(guest, 'x'.repeat(43));
    expect(refused.problem.code).toBe('invitation_invalid');
    const log = await fixture.ask('listAuditEntries', {
      as: admin,
      query: { userId: guest.userId },
    });
    expect(log.reply.data).toEqual([]);
  });
});

describe('who invites', () => {
  it('gives no role above their own, and no managing role by a token', async () => {
    const person = await fixture.user();
    await join(fixture, company, { person, role: 'administrator' });
    const owner = await fixture.ask('inviteMember', { as: person, body: { role: 'owner' } });
    expect(owner.problem.code).toBe('role_required');
    const made = await fixture.ask('createAccessToken', {
      as: person,
      body: { name: 'script', scope: 'full' },
    });
    const as = { token: made.reply.token };
    const admins = await fixture.ask('inviteMember', { as, body: { role: 'administrator' } });
    expect(admins.problem.code).toBe('session_required');
    expect((await fixture.ask('inviteMember', { as, body: { role: 'member' } })).status).toBe(201);
  });

  it('does not come back by a link of their own once removed or lowered', async () => {
    const [removed, lowered] = [await fixture.user(), await fixture.user()];
    const links: string[] = [];
    for (const person of [removed, lowered]) {
      const memberId = await join(fixture, company, { person, role: 'administrator' });
      const { token } = await invite(fixture, { owner: person }, { role: 'administrator' });
      links.push(token);
      const params = { memberId };
      const { owner } = company;
      if (person === removed) await fixture.ask('removeMember', { as: owner, params });
      else await fixture.ask('updateMember', { as: owner, params, body: { role: 'member' } });
    }
    expect((await accept(removed, links[0] ?? '')).problem.code).toBe('invitation_invalid');
    const friend = await fixture.user();
    expect((await accept(friend, links[1] ?? '')).problem.code).toBe('invitation_invalid');
  });

  it('is limited in mails, and reads no token that was mailed', async () => {
    const strict = await createAdminFixture({ limits: LIMITS, config: { smtpUrl: smtp.url } });
    const owner = await strict.user();
    const codes = [];
    for (const name of ['a', 'b', 'c']) {
      const body = { email: `${name}@example.net`, role: 'member' };
      const { status, text } = await strict.ask('inviteMember', { as: owner, body });
      codes.push(status);
      if (status === 201)
        expect(tokenOf((JSON.parse(text) as { link: string | null }).link)).toBe('');
    }
    expect(codes).toEqual([201, 201, 429]);
    await strict.close();
  });
});

const LIMITS = {
  requestsPerMinute: 1e6,
  guardedRequestsPerMinute: 1e6,
  attemptsPerSubject: 2,
  attemptsPerSubjectFromAnywhere: 1e6,
};
