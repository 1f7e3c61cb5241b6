import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startForgedProvider,
  type ForgedProvider,
} from '../../../support/identity/forged-provider.ts';
import { cleanUp } from '../../../../gateway/control-plane/housekeeping/housekeeping.ts';
import { openCompany, type Company } from '../support/company.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { connectDirectory, type ScimClient } from '../support/scim.ts';

let fixture: AdminFixture;
let provider: ForgedProvider;
let admin: Person;
let company: Company;
let scim: ScimClient;
let params: { readonly signOnProviderId: string };
let teamId: string;
let rules: readonly object[];
let researchers: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  provider = await startForgedProvider();
  admin = await fixture.admin();
  company = await openCompany(fixture, await fixture.user());
  const team = await fixture.ask('createTeam', { as: company.owner, body: { name: 'Research' } });
  teamId = team.reply.id;
  const { accountId } = company;
  rules = [{ claim: 'groups', value: 'researchers', accountId, role: 'member', teamId }];
  ({ scim, params } = await connectDirectory(fixture, admin, {
    slug: 'company',
    issuer: provider.issuer,
    domains: [{ domain: 'company.example', onlySignOn: false }],
    rules: rules as never,
  }));
  researchers = await scim.group('researchers');
});
afterAll(async () => {
  await provider.close();
  await fixture.close();
});

/** Enters a person into the group that leads to the company. */
async function newResearcher(name: string): Promise<{ email: string; id: string }> {
  const email = `${name}@company.example`;
  const id = await scim.enter(email, { externalId: name });
  await scim.patch(`/Groups/${researchers}`, {
    op: 'add',
    path: 'members',
    value: [{ value: id }],
  });
  return { email, id };
}

describe('members whom the directory manages', () => {
  const memberOf = async (email: string) => {
    const query = { search: email };
    const { reply } = await fixture.ask('listMembers', { as: company.owner, query });
    return reply.data[0];
  };

  it('are marked, and keep the role and team that the directory decides', async () => {
    const { email } = await newResearcher('managed');
    const member = await memberOf(email);
    expect(member).toMatchObject({ managedBy: 'company', role: 'member', teamId });
    const memberId = member?.id ?? '';
    for (const [body, field] of [
      [{ role: 'administrator' }, 'role'],
      [{ teamId: null }, 'teamId'],
    ] as const) {
      const asked = { as: company.owner, params: { memberId }, body };
      const { problem } = await fixture.ask('updateMember', asked);
      expect(problem).toMatchObject({ code: 'state_conflict', errors: [{ field }] });
      expect(problem.detail).toContain('company');
    }
    // What changes nothing ends an offer of ownership, which owners alone make.
    for (const role of ['owner', 'member']) {
      const asked = { as: company.owner, params: { memberId }, body: { role } };
      const { reply } = await fixture.ask('updateMember', asked);
      expect(reply).toMatchObject({ ownershipOffered: role === 'owner', role: 'member' });
    }
  });

  it('are for people to change once the directory has not entered them', async () => {
    const { email, id } = await newResearcher('unmanaged');
    await fixture.pool.query('delete from directory_users where id = $1', [id]);
    const member = await memberOf(email);
    expect(member).toMatchObject({ managedBy: null });
    const memberParams = { memberId: member?.id ?? '' };
    const changed = await fixture.ask('updateMember', {
      as: company.owner,
      params: memberParams,
      body: { role: 'viewer' },
    });
    expect(changed.reply).toMatchObject({ role: 'viewer', managedBy: null });
  });

  it('are led to a team that cannot be deleted meanwhile', async () => {
    const rule = { claim: 'title', value: 'Auditor', accountId: company.accountId, role: 'viewer' };
    const name = { name: 'Auditors' };
    const made = await fixture.ask('createTeam', { as: company.owner, body: name });
    const deleting = { as: company.owner, params: { teamId: made.reply.id } };
    const set = (list: readonly object[]) =>
      fixture.ask('updateSignOnProvider', {
        ...{ as: admin, anyVersion: true, params },
        body: { rules: list },
      });
    await set([...rules, { ...rule, teamId: made.reply.id }]);
    expect((await fixture.ask('deleteTeam', deleting)).problem.code).toBe('in_use');
    await set(rules);
    expect((await fixture.ask('deleteTeam', deleting)).status).toBe(204);
  });
});

describe('the last refusal', () => {
  const lastRefusal = async () =>
    (await fixture.ask('getDirectory', { as: admin, params })).reply.lastRefusal;

  async function refuseAddress(email: string): Promise<void> {
    await scim.send('POST', '/Users', { userName: email, emails: [{ value: email }] });
    expect(await lastRefusal()).toContain(email);
  }

  it('is forgotten after a week, because it may name an address', async () => {
    await refuseAddress((await fixture.user('kept@elsewhere.example')).email);
    await cleanUp(fixture);
    expect(await lastRefusal()).not.toBeNull();
    await fixture.pool.query(`update directories set last_refused_at = now() - interval '8 days'`);
    await cleanUp(fixture);
    expect(await lastRefusal()).toBeNull();
  });

  it('is forgotten when the account of the person is erased', async () => {
    const person = await fixture.user('erased@elsewhere.example');
    await refuseAddress(person.email);
    const asked = { as: admin, params: { accountId: person.accountId } };
    expect((await fixture.ask('deleteAccount', asked)).status).toBe(204);
    expect(await lastRefusal()).toBeNull();
  });
});
