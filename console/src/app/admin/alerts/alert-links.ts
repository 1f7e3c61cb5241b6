import type { SubLink } from '../../design/page/sub-nav';

/** The parts of alerts. */
export const ALERT_LINKS: readonly SubLink[] = [
  { path: '/admin/alerts', label: 'alerts.rules' },
  { path: '/admin/alerts/targets', label: 'alerts.targets' },
  { path: '/admin/alerts/log', label: 'alerts.log' },
];
