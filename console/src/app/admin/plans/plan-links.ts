import type { SubLink } from '../../design/page/sub-nav';

/** The parts of plan administration. */
export const PLAN_LINKS: readonly SubLink[] = [
  { path: '/admin/plans', label: 'nav.plans' },
  { path: '/admin/plans/subscriptions', label: 'subscriptions.title' },
];
