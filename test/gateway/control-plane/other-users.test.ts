/** Every route for users, tried by somebody else than whose things they are. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import type { Person } from './support/fixture.ts';
import { sampleBody } from './support/sample-bodies.ts';
import { useEverything } from './support/use/use-everything.ts';
import type { Walk } from './support/walk.ts';

let walk: Walk;
let stranger: Person;

beforeAll(async () => {
  walk = await useEverything();
  stranger = await walk.fixture.user();
  const person = await walk.fixture.user();
  await walk.fixture.pool.query(
    `insert into identities (id, issuer, subject, user_id) values (gen_random_uuid(), 'https://id.test', 'one', $1)`,
    [person.userId],
  );
  const view = { list: 'requests', name: 'Failed', query: 'outcome=failed' };
  await walk.fixture.ask('createSavedView', { as: person, body: view });
});
afterAll(() => walk.close());

/** A new one has to be looked at: does its body name anything that may be somebody else's? */
const ACTING_ON_ONESELF: readonly RouteId[] = [
  'acceptMemberInvitation',
  'allowDeviceLogin',
  'beginIdentityLink',
  'beginSecondFactor',
  'buySubscription',
  // Its body names keys: bulk-changes/refuses.test.ts.
  'changeOwnKeysInBulk',
  'changePassword',
  'confirmSecondFactor',
  'createAccessToken',
  'createKey',
  'createKeyBatch',
  'createOrder',
  'createOwnAccount',
  'createSavedView',
  'createTeam',
  'denyDeviceLogin',
  'inviteMember',
  'logOut',
  'lookUpDeviceLogin',
  'redeemCode',
  'removeSecondFactor',
  'renewRecoveryCodes',
  'revokeOtherSessions',
  'search',
  'switchAccount',
  'updateBillingDetails',
  'updateContentPolicy',
  'updateManagedSettings',
  'updateNoticeSettings',
  'updateOwnAccount',
  'updateOwnUser',
  'updateTimeZone',
];

interface Things {
  readonly table: string;
  readonly id: string;
  readonly owner: 'account_id' | 'user_id' | 'id';
}

/**
 * Where what a path names is kept, and whose it is. A new kind of parameter has to be entered here.
 */
const THINGS: Readonly<Record<string, Things>> = {
  keyId: { table: 'keys', id: 'id', owner: 'account_id' },
  sessionId: { table: 'sessions', id: 'id', owner: 'user_id' },
  accessTokenId: { table: 'access_tokens', id: 'id', owner: 'user_id' },
  subscriptionId: { table: 'subscriptions', id: 'id', owner: 'account_id' },
  orderId: { table: 'orders', id: 'id', owner: 'account_id' },
  accountId: { table: 'accounts', id: 'id', owner: 'id' },
  memberId: { table: 'members', id: 'id', owner: 'account_id' },
  teamId: { table: 'teams', id: 'id', owner: 'account_id' },
  budgetScope: { table: 'members', id: `'member:' || id`, owner: 'account_id' },
  memberInvitationId: { table: 'member_invitations', id: 'id', owner: 'account_id' },
  savedViewId: { table: 'saved_views', id: 'id', owner: 'user_id' },
  identityId: { table: 'identities', id: 'id', owner: 'user_id' },
  invoiceId: { table: 'invoices', id: 'id', owner: 'account_id' },
  requestId: { table: 'usage_records', id: 'request_id', owner: 'account_id' },
  // The same parameter, of another table.
  getOwnRequest: { table: 'requests', id: 'request_id', owner: 'account_id' },
  getOwnContent: { table: 'content_records', id: 'request_id', owner: 'account_id' },
};

/** Their ids are small numbers, which any text may have. */
const NUMBERED = ['members', 'teams'];

/** Names of times, not of things. */
const NAMELESS = ['month'];

const forUsers = Object.entries<AdminRoute>(ADMIN_ROUTES)
  .filter(([, { caller }]) => caller === 'user')
  .map(([id, { path, method }]) => {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const [name] = names.filter((one) => !NAMELESS.includes(one));
    return { id: id as RouteId, method, name };
  });
const naming = forUsers.flatMap(({ id, name }) => (name === undefined ? [] : [{ id, name }]));
const reading = forUsers.filter(({ method, name }) => method === 'GET' && name === undefined);

function thingsOf(name: string, route: RouteId): Things {
  const things = THINGS[route] ?? THINGS[name];
  if (things === undefined) throw new Error(`whose is what :${name} names?`);
  return things;
}

/** Rows that are not the stranger's. */
async function othersRows({ table, id, owner }: Things): Promise<{ id: string; row: string }[]> {
  const { rows } = await walk.fixture.pool.query<{ id: string; row: string }>(
    `select ${id} as id, t::text as row from ${table} t where ${owner} <> $1 order by 1`,
    [owner === 'user_id' ? stranger.userId : stranger.accountId],
  );
  return rows;
}

describe('another user', () => {
  it.each(naming)(
    'is told by $id that there is no such thing, and changes nothing',
    async (route) => {
      const things = thingsOf(route.name, route.id);
      const before = await othersRows(things);
      expect(before.length).toBeGreaterThan(0);
      for (const { id } of before) {
        const body = sampleBody(route.id);
        const tried = await walk.fixture.ask(route.id, {
          as: stranger,
          anyVersion: true,
          params: { [route.name]: id },
          ...(body === undefined ? {} : { body }),
        });
        expect(tried.problem).toMatchObject({ status: 404, code: 'not_found' });
      }
      expect(await othersRows(things)).toEqual(before);
    },
  );

  it.each(reading)('sees nothing of anybody in the reply of $id', async ({ id }) => {
    const month = new Date().toISOString().slice(0, 7);
    const keys = (await othersRows(thingsOf('keyId', 'getKey'))).map((key) => key.id).slice(0, 10);
    const { status, text } = await walk.fixture.ask(id, {
      as: stranger,
      params: { month },
      ...(id === 'listOwnKeyActivities' ? { query: { ids: keys.join(',') } } : {}),
      ...(id === 'listSavedViews' ? { query: { list: 'requests' } } : {}),
    });
    expect(status, text).toBe(200);
    const named = Object.values(THINGS).filter(({ table }) => !NUMBERED.includes(table));
    const ids = await Promise.all(named.map(othersRows));
    const { rows: people } = await walk.fixture.pool.query<{ marks: string[] }>(
      'select array[id::text, account_id::text, email] as marks from users where id <> $1',
      [stranger.userId],
    );
    const marks = [...ids.flat().map((row) => row.id), ...people.flatMap((person) => person.marks)];
    expect(marks.length).toBeGreaterThan(20);
    expect(marks.filter((mark) => text.includes(mark))).toEqual([]);
  });

  it('cannot name a thing of anyone at the other routes, which act on the caller', () => {
    const tried = new Set<string>([...naming, ...reading].map(({ id }) => id));
    const others = forUsers.map(({ id }) => id).filter((id) => !tried.has(id));
    expect(others.toSorted()).toEqual(ACTING_ON_ONESELF);
  });
});
