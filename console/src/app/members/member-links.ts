import { computed, inject, type Signal } from '@angular/core';
import { mayOpen } from '../core/session/page-needs';
import { Session } from '../core/session/session';
import type { SubLink } from '../design/page/sub-nav';

const LINKS: readonly SubLink[] = [
  { path: '/members', label: 'members.title' },
  { path: '/members/teams', label: 'teams.title' },
  { path: '/members/invitations', label: 'invites.title' },
  { path: '/members/budgets', label: 'budgets.title' },
  { path: '/members/claude-code', label: 'toolSettings.title' },
  { path: '/members/audit', label: 'members.audit' },
];

/** The pages about members that the role opens. Needs an injection context. */
export function memberLinks(): Signal<readonly SubLink[]> {
  const session = inject(Session);
  return computed(() => LINKS.filter(({ path }) => mayOpen(session.standing(), path)));
}
