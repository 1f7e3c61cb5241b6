import { inject } from '@angular/core';
import { mayOpen } from '../core/session/page-needs';
import { Session } from '../core/session/session';
import type { SubLink } from '../design/page/sub-nav';

const LINKS: readonly SubLink[] = [
  { path: '/account', label: 'account.general' },
  { path: '/account/accounts', label: 'memberships.title' },
  { path: '/account/notices', label: 'notices.title' },
  { path: '/account/security', label: 'account.security' },
  { path: '/account/tokens', label: 'account.tokens' },
];

/** The parts of the account that the role opens. Needs an injection context. */
export function accountLinks(): readonly SubLink[] {
  const session = inject(Session);
  return LINKS.filter(({ path }) => mayOpen(session.standing(), path));
}
