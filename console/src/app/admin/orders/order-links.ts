import type { SubLink } from '../../design/page/sub-nav';

/** The parts of order administration. */
export const ORDER_LINKS: readonly SubLink[] = [
  { path: '/admin/orders', label: 'nav.orders' },
  { path: '/admin/orders/credits', label: 'orderAdmin.credits' },
  { path: '/admin/orders/invoices', label: 'orderAdmin.invoices' },
];
