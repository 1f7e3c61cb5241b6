/** Every role and every route that demands a login, by the one table of permissions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import { mayCall } from '@weir/shared/api/may-call';
import {
  MEMBER_PERMISSIONS,
  MEMBER_ROLES,
  permits,
  type MemberPermission,
  type MemberRole,
} from '@weir/shared/api/permissions';
import { join, openCompany, type Company } from '../support/company.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { sampleBody, sampleParams } from '../support/sample-bodies.ts';

let fixture: AdminFixture;
let company: Company;
const members = new Map<MemberRole, Person>();
/** Tokens of the owner, each limited to a role. */
const tokens = new Map<MemberRole, { readonly token: string }>();

beforeAll(async () => {
  fixture = await createAdminFixture();
  company = await openCompany(fixture, await fixture.user());
  members.set('owner', company.owner);
  for (const role of MEMBER_ROLES) {
    const body = { name: role, scope: 'full', role };
    const made = await fixture.ask('createAccessToken', { as: company.owner, body });
    tokens.set(role, { token: made.reply.token });
    if (role === 'owner') continue;
    const person = await fixture.user();
    await join(fixture, company, { person, role });
    members.set(role, person);
  }
});
afterAll(() => fixture.close());

const routes = Object.entries<AdminRoute>(ADMIN_ROUTES).flatMap(([id, route]) =>
  route.caller === 'anyone' ? [] : [{ id: id as RouteId, route }],
);
/** Acts of people on their own login are another test's, which makes a person for each. */
const ofAccounts = routes.filter(({ route }) => route.permission !== 'self');

async function codeOf(id: RouteId, as: Person | { token: string } | undefined): Promise<string> {
  const body = sampleBody(id);
  const answered = await fixture.ask(id, {
    as,
    anyVersion: true,
    params: sampleParams(ADMIN_ROUTES[id].path),
    ...(body === undefined ? {} : { body }),
  });
  return answered.status < 400 ? 'admitted' : answered.problem.code;
}

/** Routes that refuse what the role may not do with it, after the table has admitted the call. */
async function shutRoutes(
  as: Person | { token: string } | undefined,
  standing: Parameters<typeof mayCall>[0],
): Promise<{ readonly shut: RouteId[]; readonly expected: RouteId[] }> {
  const shut: RouteId[] = [];
  for (const { id } of ofAccounts) {
    if ((await codeOf(id, as)) === 'role_required') shut.push(id);
  }
  return { shut, expected: ofAccounts.flatMap(({ id }) => (mayCall(standing, id) ? [] : [id])) };
}

describe('a member', () => {
  it.each(MEMBER_ROLES)(
    'with the role %s may call what the table says, and no more',
    async (role) => {
      const standing = { role: 'user', memberRole: role, tokenRole: null } as const;
      const { shut, expected } = await shutRoutes(members.get(role), standing);
      expect(shut).toEqual(expected);
    },
  );

  it.each(MEMBER_ROLES)('has a token that is limited to the role %s', async (role) => {
    const standing = { role: 'user', memberRole: 'owner', tokenRole: role } as const;
    const { shut, expected } = await shutRoutes(tokens.get(role), standing);
    expect(shut).toEqual(expected);
  });

  it('who is lowered has no more than both roles in a token that was made before', async () => {
    const person = await fixture.user();
    const memberId = await join(fixture, company, { person, role: 'administrator' });
    const body = { name: 'billing', scope: 'full', role: 'billing' };
    const made = await fixture.ask('createAccessToken', { as: person, body });
    const as = { token: made.reply.token };
    expect(await codeOf('listMembers', as)).toBe('admitted');
    const change = { as: company.owner, params: { memberId }, body: { role: 'member' } };
    await fixture.ask('updateMember', change);
    expect(await codeOf('listMembers', as)).toBe('role_required');
    expect(await codeOf('listKeys', as)).toBe('role_required');
    expect(await codeOf('listKeys', person)).toBe('admitted');
  });

  it('of an account is no operator, and an operator’s limited token is none either', async () => {
    const admin = await fixture.admin();
    const tokenOf = async (role: MemberRole | null) => {
      const body = { name: 'script', scope: 'full', role };
      const made = await fixture.ask('createAccessToken', { as: admin, body });
      return { token: made.reply.token };
    };
    expect(await codeOf('listAccounts', await tokenOf(null))).toBe('admitted');
    expect(await codeOf('listAccounts', await tokenOf('owner'))).toBe('role_required');
  });
});

describe('the table of permissions', () => {
  const having = (permission: MemberPermission): MemberRole[] =>
    MEMBER_ROLES.filter((memberRole) =>
      permits({ role: 'user', memberRole, tokenRole: null }, permission),
    );

  it('leaves money to owners and billing, people to owners and administrators', () => {
    expect(having('billing.manage')).toEqual(['owner', 'billing']);
    expect(having('members.manage')).toEqual(['owner', 'administrator']);
    expect(having('owners.manage')).toEqual(['owner']);
    expect(having('keys.write')).toEqual(['owner', 'administrator', 'member']);
  });

  it('lets viewers change nothing and members see nothing but their own', () => {
    const writing = ofAccounts.filter(({ route }) => route.method !== 'GET');
    const standing = { role: 'user', memberRole: 'viewer', tokenRole: null } as const;
    expect(writing.flatMap(({ id }) => (mayCall(standing, id) ? [id] : []))).toEqual(['search']);
    expect(MEMBER_PERMISSIONS.member.filter((one) => one.endsWith('.all'))).toEqual([]);
    expect(having('billing.read')).not.toContain('member');
  });

  it('gives owners everything that a member of an account can do', () => {
    const all = new Set(Object.values(MEMBER_PERMISSIONS).flat());
    expect([...all].filter((one) => !MEMBER_PERMISSIONS.owner.includes(one))).toEqual([]);
  });
});
