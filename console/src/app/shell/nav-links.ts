import type { PlainKey } from '../core/i18n/i18n';
import type { IconName } from '../design/icon/icon-paths';

export interface NavLink {
  readonly path: string;
  readonly key: PlainKey;
  readonly icon: IconName;
  /** Pages below it do not light it up. */
  readonly exact?: boolean;
}

export const USER_LINKS: readonly NavLink[] = [
  { path: '/dashboard', key: 'nav.dashboard', icon: 'dashboard' },
  { path: '/keys', key: 'nav.keys', icon: 'key' },
  { path: '/playground', key: 'nav.playground', icon: 'playground' },
  { path: '/models', key: 'nav.models', icon: 'models' },
  { path: '/usage', key: 'nav.usage', icon: 'usage' },
  { path: '/requests', key: 'nav.requests', icon: 'requests' },
  { path: '/billing', key: 'nav.billing', icon: 'billing' },
  { path: '/members', key: 'nav.members', icon: 'accounts' },
];

export const MORE_LINKS: readonly NavLink[] = [
  { path: '/start', key: 'nav.start', icon: 'start' },
  { path: '/account', key: 'nav.account', icon: 'account' },
];

export const ADMIN_LINKS: readonly NavLink[] = [
  { path: '/admin/overview', key: 'nav.overview', icon: 'overview' },
  { path: '/admin/operations', key: 'nav.operations', icon: 'operations' },
  { path: '/admin/requests', key: 'nav.adminRequests', icon: 'requests' },
  { path: '/admin/accounts', key: 'nav.accounts', icon: 'accounts' },
  { path: '/admin/groups', key: 'nav.groups', icon: 'groups' },
  { path: '/admin/models', key: 'nav.adminModels', icon: 'models' },
  { path: '/admin/channels', key: 'nav.channels', icon: 'channels' },
  { path: '/admin/plans', key: 'nav.plans', icon: 'plans' },
  { path: '/admin/codes', key: 'nav.codes', icon: 'codes' },
  { path: '/admin/orders', key: 'nav.orders', icon: 'orders' },
  { path: '/admin/usage', key: 'nav.adminUsage', icon: 'usage' },
  { path: '/admin/margin', key: 'nav.margin', icon: 'margin' },
  { path: '/admin/alerts', key: 'alerts.title', icon: 'alerts' },
  { path: '/admin/audit', key: 'nav.audit', icon: 'audit' },
  { path: '/admin/settings', key: 'nav.settings', icon: 'settings' },
];
