import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import { mayCall as mayCallWith } from '@weir/shared/api/may-call';
import type { UserRole } from '@weir/shared/people/users';
import { createAdminFixture, type AdminFixture, type Person } from './support/fixture.ts';
import { sampleBody, sampleParams } from './support/sample-bodies.ts';

const mayCall = (role: UserRole, id: RouteId): boolean =>
  mayCallWith({ role, memberRole: 'owner', tokenRole: null }, id);

let fixture: AdminFixture;
let admin: Person;
let support: Person;
let token: { token: string };

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  support = await fixture.support();
  const body = { name: 'script', scope: 'full' };
  token = { token: (await fixture.ask('createAccessToken', { as: support, body })).reply.token };
});
afterAll(() => fixture.close());

/**
 * What supporters see. Everything else of an administrator is refused to them, and a new route is
 * too.
 */
const SEEN: readonly RouteId[] = [
  'exportAuditEntries',
  'exportCredits',
  'exportOrders',
  'exportUsage',
  'getAccount',
  'getAccountOverview',
  'getContent',
  'listAccountGroups',
  'listAccountPrices',
  'getKeyOfAnyone',
  'getOverview',
  'getRequest',
  'getStatement',
  'getSubscription',
  'getTraffic',
  'getUser',
  'listAccounts',
  'listActivities',
  'listAuditEntries',
  'listBulkChangeLines',
  'listCredits',
  'listInvoices',
  'listKeysOfEveryone',
  'listOrders',
  'listRequests',
  'listSubscriptions',
  'listUsageDays',
  'listUsageRecords',
  'listUsers',
  'printInvoice',
];

const forAdmins = Object.entries<AdminRoute>(ADMIN_ROUTES)
  .filter(([, { caller }]) => caller === 'admin')
  .map(([id]) => id as RouteId);
const hidden = forAdmins.filter((id) => !SEEN.includes(id));

async function codeOf(id: RouteId, as: Person | { token: string }): Promise<string> {
  const body = sampleBody(id);
  const answered = await fixture.ask(id, {
    as,
    anyVersion: true,
    params: sampleParams(ADMIN_ROUTES[id].path),
    ...(body === undefined ? {} : { body }),
    ...(QUERIES[id] === undefined ? {} : { query: QUERIES[id] }),
  });
  return answered.status < 400 ? 'admitted' : answered.problem.code;
}

/** Queries of routes that answer none without. */
const QUERIES: Partial<Record<RouteId, object>> = {
  listActivities: { kind: 'key', ids: '01a1fe10-0000-7000-8000-000000000001' },
};

describe('a supporter', () => {
  it.each(hidden)('is refused by %s', async (id) => {
    expect(mayCall('support', id)).toBe(false);
    expect(await codeOf(id, support)).toBe('role_required');
    expect(await codeOf(id, token)).toBe('role_required');
  });

  it.each(SEEN)('passes %s, which changes nothing', async (id) => {
    expect(ADMIN_ROUTES[id].method).toBe('GET');
    expect(mayCall('support', id)).toBe(true);
    expect(['admitted', 'not_found']).toContain(await codeOf(id, support));
    expect(mayCall('user', id)).toBe(false);
  });

  it('sees no credential, code or secret in any reply', () => {
    const risky: RouteId[] = ['exportRedemptionBatch', 'listInvitationCodes', 'getSettings'];
    for (const id of risky) expect(hidden).toContain(id);
  });

  it('is made and unmade by an administrator, at once, with a session alone', async () => {
    const person = await fixture.user();
    const params = { userId: person.userId };
    const list = () => fixture.ask('listAccounts', { as: person });
    const set = (role: string, as: Person | { token: string } = admin) =>
      fixture.ask('updateUser', { as, params, anyVersion: true, body: { role } });
    expect((await list()).problem.code).toBe('role_required');
    expect((await set('support')).reply.role).toBe('support');
    expect((await list()).status).toBe(200);
    const body = { name: 'script', scope: 'full' };
    const made = await fixture.ask('createAccessToken', { as: admin, body });
    const adminToken = { token: made.reply.token };
    expect((await set('user', adminToken)).problem.code).toBe('session_required');
    const opened = await fixture.ask('createAccount', {
      as: adminToken,
      body: { name: 'x', email: 'x@example.org', role: 'support' },
    });
    expect(opened.problem.code).toBe('session_required');
    expect((await set('admin', person)).problem.code).toBe('role_required');
    await set('user');
    expect((await list()).problem.code).toBe('role_required');
  });

  it('is no administrator who could be the last one', async () => {
    const { pool } = fixture;
    const others = `update users set disabled_at = now() where role = 'admin' and id <> $1`;
    await pool.query(others, [admin.userId]);
    const body = { role: 'support' };
    const params = { userId: admin.userId };
    const last = await fixture.ask('updateUser', { as: admin, params, anyVersion: true, body });
    expect(last.problem.code).toBe('state_conflict');
  });

  it('is in the audit log with changes of their own credentials', async () => {
    const log = await fixture.ask('listAuditEntries', {
      as: admin,
      query: { userId: support.userId },
    });
    expect(log.reply.data).toMatchObject([{ action: 'createAccessToken' }]);
  });
});
