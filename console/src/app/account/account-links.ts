import type { SubLink } from '../design/page/sub-nav';

/** The parts of the account. */
export const ACCOUNT_LINKS: readonly SubLink[] = [
  { path: '/account', label: 'account.general' },
  { path: '/account/accounts', label: 'memberships.title' },
  { path: '/account/notices', label: 'notices.title' },
  { path: '/account/security', label: 'account.security' },
  { path: '/account/tokens', label: 'account.tokens' },
];
