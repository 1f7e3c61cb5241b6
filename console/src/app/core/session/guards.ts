import { inject } from '@angular/core';
import { RedirectCommand, Router, type CanMatchFn } from '@angular/router';
import { I18n } from '../i18n/i18n';
import { Session } from './session';
import { mayOpen } from './page-needs';
import { landingPath, loginPath } from './return-path';

/** Pages of a user: others are sent to log in and come back afterwards. */
export const requireUser: CanMatchFn = async (_route, segments) => {
  const session = inject(Session);
  const router = inject(Router);
  await session.restore();
  if (session.user() !== undefined) {
    // A page that the role does not open falls through to "not found".
    return mayOpen(session.standing(), segments.map(({ path }) => path).join('/'));
  }
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
  const i18n = inject(I18n);
  await session.restore();
  const isOpen = mayOpen(session.standing(), segments.map(({ path }) => path).join('/'));
  if (isOpen) await i18n.useOperatorTexts();
  return isOpen;
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
