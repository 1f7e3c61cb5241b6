import { inject } from '@angular/core';
import { RedirectCommand, Router, type CanMatchFn } from '@angular/router';
import { Session } from './session';
import { mayOpen } from './page-needs';
import { landingPath, loginPath } from './return-path';

/** Pages of a user: others are sent to log in and come back afterwards. */
export const requireUser: CanMatchFn = async (_route, segments) => {
  const session = inject(Session);
  const router = inject(Router);
  await session.restore();
  if (session.user() !== undefined) return true;
  const wanted = router.currentNavigation()?.extractedUrl.toString();
  const path = wanted ?? `/${segments.map(({ path }) => path).join('/')}`;
  return new RedirectCommand(router.parseUrl(loginPath(path)));
};

/**
 * Pages of administrators, some of them also of supporters. For others they do not exist: the route
 * falls through to "not found".
 */
export const requireAdmin: CanMatchFn = async (_route, segments) => {
  const session = inject(Session);
  await session.restore();
  return mayOpen(session.role(), segments.map(({ path }) => path).join('/'));
};

/** Login and registration make no sense for someone who is logged in. */
export const requireNobody: CanMatchFn = async () => {
  const session = inject(Session);
  const router = inject(Router);
  await session.restore();
  if (session.user() === undefined) return true;
  const to = router.currentNavigation()?.extractedUrl.queryParams['to'] as unknown;
  return new RedirectCommand(router.parseUrl(landingPath(to)));
};
