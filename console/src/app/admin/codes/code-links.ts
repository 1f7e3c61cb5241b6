import type { SubLink } from '../../design/page/sub-nav';

/** The parts of code administration. */
export const CODE_LINKS: readonly SubLink[] = [
  { path: '/admin/codes', label: 'codes.batches' },
  { path: '/admin/codes/invitations', label: 'codes.invitations' },
];
