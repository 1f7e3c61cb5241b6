import type { AdminRoute } from './admin-route.ts';
import { ADMIN_ROUTES, type RouteId } from './admin-routes.ts';
import type { UserRole } from './users.ts';

/**
 * The `admin` routes that each role may call. Routes that are not listed are refused, so a new one
 * is for administrators until it is listed. Supporters answer customers: they see accounts, usage
 * and logs, and change nothing.
 */
const PERMISSIONS: Readonly<Record<UserRole, readonly RouteId[] | 'all'>> = {
  user: [],
  support: [
    'listUsers',
    'getUser',
    'listAccounts',
    'getAccount',
    'getAccountOverview',
    'listAccountGroups',
    'listCredits',
    'listKeysOfEveryone',
    'getKeyOfAnyone',
    'listSubscriptions',
    'getSubscription',
    'listOrders',
    'listUsageRecords',
    'exportUsage',
    'listUsageDays',
    'listRequests',
    'getRequest',
    'getTraffic',
    'listActivities',
    'getStatement',
    'getOverview',
    'listAuditEntries',
    'exportAuditEntries',
    'listBulkChangeLines',
  ],
  admin: 'all',
};

/**
 * True when a user of this role may call the route. The server asks before every request, the
 * console before it offers something.
 */
export function mayCall(role: UserRole, routeId: RouteId): boolean {
  const { caller }: AdminRoute = ADMIN_ROUTES[routeId];
  if (caller !== 'admin') return true;
  const permitted = PERMISSIONS[role];
  return permitted === 'all' || permitted.includes(routeId);
}
