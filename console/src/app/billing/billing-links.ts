import type { SubLink } from '../design/page/sub-nav';

/** The parts of billing. */
export const BILLING_LINKS: readonly SubLink[] = [
  { path: '/billing', label: 'billing.overview' },
  { path: '/billing/plans', label: 'billing.plans' },
  { path: '/billing/orders', label: 'billing.orders' },
  { path: '/billing/invoices', label: 'billing.invoices' },
  { path: '/billing/statements', label: 'billing.statements' },
];
