import type { SubLink } from '../../design/page/sub-nav';

/** The parts of account administration. */
export const ACCOUNT_ADMIN_LINKS: readonly SubLink[] = [
  { path: '/admin/accounts', label: 'accounts.accounts' },
  { path: '/admin/accounts/users', label: 'accounts.users' },
  { path: '/admin/accounts/keys', label: 'accounts.keys' },
];
