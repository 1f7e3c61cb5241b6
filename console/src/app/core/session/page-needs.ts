import type { RouteId } from '@weir/shared/admin-routes';
import { mayCall } from '@weir/shared/permissions';
import type { UserRole } from '@weir/shared/users';

/**
 * What the pages below /admin read first, by the next part of their path. Others are an
 * administrator's.
 */
const NEEDS: Readonly<Record<string, RouteId>> = {
  overview: 'getOverview',
  accounts: 'listAccounts',
  orders: 'listOrders',
  usage: 'listUsageRecords',
  requests: 'listRequests',
  operations: 'getTraffic',
  audit: 'listAuditEntries',
};
const FIRST = 'overview';

/** True when a page has something to show to a user of this role. */
export function mayOpen(role: UserRole | undefined, path: string): boolean {
  const [first, part = FIRST] = path.split('/').filter((name) => name !== '');
  if (first !== 'admin') return true;
  if (role === undefined || role === 'admin') return role === 'admin';
  const needed = Object.hasOwn(NEEDS, part) ? NEEDS[part] : undefined;
  return needed !== undefined && mayCall(role, needed);
}
