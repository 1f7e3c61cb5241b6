import type { Standing } from '@weir/shared/api/permissions';
import type { PlainKey } from '../../core/i18n/i18n';
import { mayOpen } from '../../core/session/page-needs';
import type { IconName } from '../../design/icon/icon-paths';

/** The page of a menu entry, or one of its parts that has an address of its own. */
interface NavPage {
  readonly path: string;
  readonly key: PlainKey;
}

export interface NavLink extends NavPage {
  readonly icon: IconName;
  /** Behind `g`, the keys that lead to the page; one of its own in each menu. */
  readonly letter?: string;
  /** Pages that belong to the entry and are found by the command palette, not in the menu. */
  readonly parts?: readonly NavPage[];
  /** Beginning of addresses outside of the entry's path whose pages belong to it. */
  readonly below?: string;
}

interface NavGroup {
  readonly heading?: PlainKey;
  readonly links: readonly NavLink[];
}

/** Two menus: what one does with the own account, and what operators do with the gateway. */
export type World = 'customer' | 'operator';

const CUSTOMER_MENU: readonly NavGroup[] = [
  {
    links: [
      { path: '/dashboard', key: 'nav.dashboard', icon: 'dashboard', letter: 'd' },
      { path: '/keys', key: 'nav.keys', icon: 'key', letter: 'k' },
      { path: '/playground', key: 'nav.playground', icon: 'playground', letter: 'p' },
      { path: '/models', key: 'nav.models', icon: 'models', letter: 'm' },
      {
        path: '/requests',
        key: 'nav.requests',
        icon: 'requests',
        letter: 'r',
        parts: [{ path: '/usage', key: 'nav.usage' }],
      },
      { path: '/billing', key: 'nav.billing', icon: 'billing', letter: 'b' },
      { path: '/members', key: 'nav.members', icon: 'accounts', letter: 'e' },
    ],
  },
  {
    heading: 'shell.you',
    links: [
      { path: '/start', key: 'nav.start', icon: 'start' },
      { path: '/account', key: 'nav.account', icon: 'account', letter: 'a' },
    ],
  },
];

const OPERATOR_MENU: readonly NavGroup[] = [
  {
    heading: 'shell.watch',
    links: [
      { path: '/admin/overview', key: 'nav.overview', icon: 'overview', letter: 'o' },
      { path: '/admin/operations', key: 'nav.operations', icon: 'operations', letter: 'p' },
      {
        path: '/admin/requests',
        key: 'nav.adminRequests',
        icon: 'requests',
        letter: 'r',
        parts: [{ path: '/admin/usage', key: 'nav.adminUsage' }],
        below: '/requests/',
      },
      { path: '/admin/alerts', key: 'alerts.title', icon: 'alerts', letter: 'l' },
    ],
  },
  {
    heading: 'shell.customers',
    links: [
      { path: '/admin/accounts', key: 'nav.accounts', icon: 'accounts', letter: 'a' },
      { path: '/admin/groups', key: 'nav.groups', icon: 'groups', letter: 'g' },
    ],
  },
  {
    heading: 'shell.catalog',
    links: [
      { path: '/admin/models', key: 'nav.adminModels', icon: 'models', letter: 'm' },
      { path: '/admin/channels', key: 'nav.channels', icon: 'channels', letter: 'c' },
      { path: '/admin/plans', key: 'nav.plans', icon: 'plans', letter: 'n' },
    ],
  },
  {
    heading: 'shell.money',
    links: [
      { path: '/admin/orders', key: 'nav.orders', icon: 'orders', letter: 'd' },
      { path: '/admin/codes', key: 'nav.codes', icon: 'codes', letter: 'e' },
      { path: '/admin/margin', key: 'nav.margin', icon: 'margin', letter: 'i' },
      { path: '/admin/accounting', key: 'nav.accounting', icon: 'billing', letter: 't' },
    ],
  },
  {
    heading: 'shell.system',
    links: [
      { path: '/admin/system', key: 'system.title', icon: 'system', letter: 'y' },
      { path: '/admin/sign-on', key: 'nav.signOn', icon: 'shield', letter: 'f' },
      { path: '/admin/settings', key: 'nav.settings', icon: 'settings', letter: 's' },
      { path: '/admin/audit', key: 'nav.audit', icon: 'audit', letter: 'u' },
    ],
  },
];

const MENUS: Readonly<Record<World, readonly NavGroup[]>> = {
  customer: CUSTOMER_MENU,
  operator: OPERATOR_MENU,
};

/** The menu of a world, less the pages that are not for these roles; groups that are empty go. */
export function menuOf(world: World, standing: Standing | undefined): NavGroup[] {
  return MENUS[world]
    .map((group) => ({
      ...group,
      links: group.links.filter(({ path }) => mayOpen(standing, path)),
    }))
    .filter(({ links }) => links.length > 0);
}

/** True if the entry leads to the page at this path or to one below it. */
export function leadsTo({ path, parts = [], below }: NavLink, url: string): boolean {
  const [place = ''] = url.split(/[?#]/);
  if (below !== undefined && place.startsWith(below)) return true;
  return [path, ...parts.map((part) => part.path)].some(
    (own) => place === own || place.startsWith(`${own}/`),
  );
}

/**
 * The world of a page. The page of a request has one address for all: an operator comes there from
 * the list of all requests, so the menu must not change under them.
 */
export function worldOf(url: string, standing: Standing | undefined): World {
  const [path = ''] = url.split(/[?#]/);
  if (/^\/admin(?:\/|$)/.test(path)) return 'operator';
  const isRequest = path.startsWith('/requests/');
  return isRequest && mayOpen(standing, '/admin/requests') ? 'operator' : 'customer';
}
