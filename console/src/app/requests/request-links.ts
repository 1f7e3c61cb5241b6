import type { SubLink } from '../design/page/sub-nav';

/** Every request, also those that failed, and those that were billed, which are kept for longer. */
export const REQUEST_LINKS: readonly SubLink[] = [
  { path: '/requests', label: 'requests.all' },
  { path: '/usage', label: 'nav.usage' },
];

export const REQUEST_ADMIN_LINKS: readonly SubLink[] = [
  { path: '/admin/requests', label: 'requests.all' },
  { path: '/admin/usage', label: 'nav.usage' },
];
