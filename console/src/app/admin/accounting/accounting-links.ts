import type { SubLink } from '../../design/page/sub-nav';

/** The parts of accounting. */
export const ACCOUNTING_LINKS: readonly SubLink[] = [
  { path: '/admin/accounting', label: 'accounting.sums' },
  { path: '/admin/accounting/settings', label: 'accounting.settings' },
];
