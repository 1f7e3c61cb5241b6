import type { RouteId } from '@weir/shared/api/admin-routes';
import { mayCall } from '@weir/shared/api/may-call';
import type { Standing } from '@weir/shared/api/permissions';

/** The route that pages of an account read first, by their path. Others are for all members. */
const ACCOUNT_NEEDS: Readonly<Record<string, RouteId>> = {
  keys: 'listKeys',
  device: 'lookUpDeviceLogin',
  playground: 'createTemporaryKeyValue',
  start: 'createKey',
  billing: 'listOwnCredits',
  members: 'listMembers',
  'members/invitations': 'listMemberInvitations',
  'members/budgets': 'listBudgets',
  'members/audit': 'listAccountAuditEntries',
  'account/notices': 'getNoticeSettings',
};

/**
 * The route that pages below /admin read first, by the next part of their path. Others are an
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

/** True when a page has something to show to a user with these roles. */
export function mayOpen(standing: Standing | undefined, path: string): boolean {
  const names = path.split('/').filter((name) => name !== '');
  const [first = '', part = FIRST] = names;
  if (first !== 'admin') {
    const known = [names.join('/'), first].find((name) => Object.hasOwn(ACCOUNT_NEEDS, name));
    const route = known === undefined ? undefined : ACCOUNT_NEEDS[known];
    return route === undefined || standing === undefined || mayCall(standing, route);
  }
  if (standing === undefined || standing.role === 'admin') return standing !== undefined;
  const needed = Object.hasOwn(NEEDS, part) ? NEEDS[part] : undefined;
  return needed !== undefined && mayCall(standing, needed);
}
