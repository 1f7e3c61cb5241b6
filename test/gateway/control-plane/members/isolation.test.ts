/**
 * Random people in two accounts: acting in one, nobody is shown anything of the other by any route,
 * and a member without the permission is shown nothing of other members' keys and requests.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import { permits, type MemberRole } from '@weir/shared/api/permissions';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { join, openCompany, type Company } from '../support/company.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { enterRequests, senderOf } from '../support/requests.ts';
import { sampleBody, sampleParams } from '../support/sample-bodies.ts';
import { insertUsage } from '../support/usage.ts';

const SEED = 20_261_128;
const PEOPLE = 4;

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;
let visitors: readonly Visitor[];

/** The ids by which routes name a thing, and texts that only its views have. */
interface Things {
  readonly params: Readonly<Record<string, string>>;
  readonly marks: readonly string[];
}

/** A key with a record and an entry of the request log. */
interface UsedKey extends Things {
  readonly params: { readonly keyId: string; readonly requestId: string };
}

interface Side extends Company {
  readonly things: Things;
  readonly ownersKey: UsedKey;
}

/** A person who acts in one account, and what is not for them. */
interface Visitor {
  readonly as: Person;
  readonly role: MemberRole;
  readonly hidden: readonly Things[];
}

async function useKey(as: Person, accountId: string, name: string): Promise<UsedKey> {
  const { groupId, publicId: model } = catalog;
  const { reply } = await fixture.ask('createKey', { as, body: { name, groupId } });
  const ids = { accountId, keyId: reply.id, groupId };
  const [recordId = ''] = await insertUsage(fixture.pool, [{ ...ids, model }]);
  const [requestId = ''] = await enterRequests(fixture.pool, [{ principal: senderOf(ids), model }]);
  const marks = [reply.id, name, reply.prefix, recordId, requestId];
  return { params: { keyId: reply.id, requestId: recordId }, marks };
}

async function makeSide(name: string): Promise<Side> {
  const owner = await fixture.user(`owner-of-${name.toLowerCase()}@example.org`);
  const company = await openCompany(fixture, owner, `Company ${name}`);
  const { accountId } = company;
  const team = await fixture.ask('createTeam', { as: owner, body: { name: `team-${name}` } });
  const address = `invited-to-${name.toLowerCase()}@example.net`;
  const body = { email: address, role: 'member' };
  const invited = await fixture.ask('inviteMember', { as: owner, body });
  const reason = `credit-of-${name}`;
  await fixture.ask('createCredit', {
    as: admin,
    params: { accountId },
    body: { amountUsd: '10', reason },
  });
  const [ownMember] = (await fixture.ask('listMembers', { as: owner })).reply.data;
  const ownersKey = await useKey(owner, accountId, `key-of-owner-of-${name}`);
  const params = {
    ...ownersKey.params,
    accountId,
    teamId: team.reply.id,
    memberId: ownMember?.id ?? '',
    memberInvitationId: invited.reply.id,
  };
  const marks = [
    ...ownersKey.marks,
    ...[accountId, company.owner.userId, owner.email, `team-${name}`, address, reason],
    ...[invited.reply.id, `Company ${name}`],
  ];
  return { ...company, ownersKey, things: { params, marks } };
}

const drawn = fc.array(
  fc.record({
    side: fc.nat(1),
    role: fc.constantFrom('administrator', 'billing', 'member', 'viewer'),
    /** A member of the other account too, who has left it or only acts elsewhere. */
    elsewhere: fc.constantFrom('no', 'left', 'member'),
  }),
  { minLength: PEOPLE, maxLength: PEOPLE },
);

async function makeVisitors(sides: readonly [Side, Side]): Promise<Visitor[]> {
  const [people = []] = fc.sample(drawn, { numRuns: 1, seed: SEED });
  // Whatever is drawn, someone sees their own keys alone, and someone is in both accounts.
  const all = [...people, { side: 0, role: 'member', elsewhere: 'member' } as const];
  const made: Visitor[] = [];
  for (const { side, role, elsewhere } of all) {
    const [home, other] = side === 0 ? sides : [sides[1], sides[0]];
    const as = await fixture.user();
    if (elsewhere !== 'no') await join(fixture, other, { person: as, role: 'administrator' });
    if (elsewhere === 'left') {
      await fixture.ask('leaveAccount', { as, params: { accountId: other.accountId } });
    }
    await join(fixture, home, { person: as, role });
    const standing = { role: 'user', memberRole: role, tokenRole: null } as const;
    const seesAll = permits(standing, 'usage.all') && permits(standing, 'keys.all');
    // Who is in both knows the other account's name and id from the list of their accounts.
    const names =
      elsewhere === 'member' ? [other.accountId, `Company ${other === sides[0] ? 'A' : 'B'}`] : [];
    const marks = other.things.marks.filter((mark) => !names.includes(mark));
    const hidden = [{ ...other.things, marks }, ...(seesAll ? [] : [home.ownersKey])];
    made.push({ as, role, hidden });
  }
  return made;
}

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
  const sides = [await makeSide('A'), await makeSide('B')] as const;
  const made = await makeVisitors(sides);
  const owners = sides.map((side, at): Visitor => {
    const other = at === 0 ? sides[1] : sides[0];
    return { as: side.owner, role: 'owner', hidden: [other.things] };
  });
  visitors = [...made, ...owners];
});
afterAll(() => fixture.close());

const routes = Object.entries<AdminRoute>(ADMIN_ROUTES).map(
  ([id, route]): [RouteId, AdminRoute] => [id as RouteId, route],
);

/** They end the session, or choose another account for it. */
const ENDING: readonly RouteId[] = [
  'logOut',
  'revokeOtherSessions',
  'changePassword',
  'switchAccount',
  'leaveAccount',
  'createOwnAccount',
];

function asked(id: RouteId, path: string, things: Things, mark: string) {
  const names = { ...sampleParams(path), ...things.params };
  const params = Object.fromEntries(
    Object.entries(names).filter(([name]) => path.includes(`:${name}`)),
  ) as Record<string, string>;
  const sample: object | undefined = sampleBody(id);
  const body = sample && {
    ...sample,
    ...('text' in sample ? { text: mark } : {}),
    ...('groupId' in sample || id === 'updateKey' ? { groupId: catalog.groupId } : {}),
    ...(id === 'inviteMember' || id === 'updateMember' ? { teamId: things.params['teamId'] } : {}),
  };
  return { anyVersion: true, params, ...(body && { body }) };
}

describe('acting in one account', () => {
  it('is done by every kind of visitor', () => {
    expect(new Set(visitors.map(({ role }) => role)).size).toBeGreaterThan(2);
    expect(visitors.some(({ hidden }) => hidden.length > 1)).toBe(true);
  });

  it.each(routes.filter(([id]) => !ENDING.includes(id)))(
    'shows nothing of the other account, or of others’ keys, by %s',
    async (id, { path }) => {
      for (const { as, hidden } of visitors) {
        for (const things of hidden) {
          const texts = id === 'search' ? things.marks : [''];
          for (const mark of texts) {
            const { text } = await fixture.ask(id, { as, ...asked(id, path, things, mark) });
            const marks = hidden.flatMap((one) => one.marks);
            expect(marks.filter((one) => text.includes(one))).toEqual([]);
          }
        }
      }
    },
  );

  it.each([
    'listOwnUsageRecords',
    'exportOwnUsage',
    'listOwnRequests',
    'listOwnUsageDays',
    'exportOwnUsageDays',
  ] as const)(
    'shows nothing more when %s is filtered by the id of a key that is not for the caller',
    async (id) => {
      for (const { as, hidden } of visitors) {
        for (const { params } of hidden) {
          const query = { keyId: params['keyId'] ?? '' };
          const { status, text } = await fixture.ask(id, { as, query });
          expect(status, text).toBe(200);
          const rows = id.startsWith('export') ? text.trim().split('\r\n').slice(1) : undefined;
          expect(rows ?? (JSON.parse(text) as { data: unknown[] }).data).toEqual([]);
        }
      }
    },
  );

  it('lets owners see their own account, so that there was something to hide', async () => {
    const owner = visitors.at(-1);
    const { text } = await fixture.ask('listKeys', { as: owner?.as });
    expect(text).toContain('key-of-owner-of-B');
    const records = await fixture.ask('listOwnUsageRecords', { as: owner?.as });
    expect(records.reply.data.length).toBeGreaterThan(0);
    const log = await fixture.ask('listOwnRequests', { as: owner?.as });
    expect(log.reply.data.length).toBeGreaterThan(0);
  });
});
