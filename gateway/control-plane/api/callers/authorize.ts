import type { FastifyRequest } from 'fastify';
import { isAudited, type AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import { mayCall } from '@weir/shared/api/may-call';
import { PAGE_ACCOUNT_HEADER, PAGE_USER_HEADER } from '@weir/shared/people/sessions';
import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import { networkOf } from '../../../platform/network/address.ts';
import { identify } from '../../sessions/identify.ts';
import type { Identity } from '../call.ts';
import type { AdminContext } from '../context.ts';
import { countAttempt } from './attempts.ts';
import { clientAddressOf } from './client-address.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/**
 * Cross-site request forgery: a browser says where a request comes from, and neither header can be
 * set by a page. A program that is no browser sends neither and carries no one's cookies by
 * accident.
 */
function refuseCrossSite(request: FastifyRequest, consoleUrl: string): Refusal | undefined {
  if (SAFE_METHODS.has(request.method)) return undefined;
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none') return undefined;
  const { origin } = request.headers;
  if (site === undefined && origin === undefined) return undefined;
  const from = origin === undefined ? undefined : hostOf(origin);
  const ours = [request.headers.host, hostOf(consoleUrl)];
  if (from !== undefined && ours.includes(from)) return undefined;
  return refuse(
    'cross_site_refused',
    'A page of another site sent this request. Use the console at its own address, or set ADMIN_URL to the address it is reached by.',
  );
}

/**
 * A page that was made for one user and is still open after another has logged in, in a second tab,
 * would show one account and act on the other: it says whom it was made for.
 */
function refuseOtherUser(request: FastifyRequest, identity: Identity): Refusal | undefined {
  const madeFor = request.headers[PAGE_USER_HEADER];
  if (madeFor !== undefined && madeFor !== identity.userId) {
    return refuse(
      'session_changed',
      'Another user has logged in since this page was opened. Reload it.',
    );
  }
  const madeIn = request.headers[PAGE_ACCOUNT_HEADER];
  if (madeIn === undefined || madeIn === identity.accountId) return undefined;
  return refuse(
    'session_changed',
    'Another account was chosen since this page was opened. Reload it.',
  );
}

function refuseToken(route: AdminRoute, identity: Identity): Refusal | undefined {
  if (identity.accessToken === null) return undefined;
  if (route.sessionOnly === true) {
    return refuse(
      'session_required',
      'Passwords, second factors, sessions, tokens and kept content are for people who have logged in to the console, not for access tokens.',
    );
  }
  if (identity.accessToken.scope === 'full') return undefined;
  if (route.fullScope === true) {
    return refuse(
      'scope_required',
      'This reply would carry codes that can be used. Make an access token with the scope "full" to read them.',
    );
  }
  if (!SAFE_METHODS.has(route.method)) {
    return refuse(
      'scope_required',
      'This access token may only read. Make one with the scope "full" to change things.',
    );
  }
  return undefined;
}

function explainRole({ memberRole, tokenRole }: Identity): string {
  const limit = tokenRole === null ? '' : `, and this access token to the role "${tokenRole}"`;
  return `You are a "${memberRole}" of this account${limit}, which does not permit this. Ask an owner of the account.`;
}

/**
 * Requires a login to make someone an administrator or supporter: a token that ends tomorrow would
 * otherwise make an administrator who stays.
 */
export function refuseRoleByToken(
  { accessToken }: Identity,
  param: 'role' | 'disabled' = 'role',
): Refusal | undefined {
  if (accessToken === null) return undefined;
  return refuse(
    'session_required',
    'The roles of administrators and supporters are changed in the console after logging in, not with an access token.',
    { param },
  );
}

/** Returns who is logged in, on a route that visitors may call too. */
async function seenCaller(
  context: AdminContext,
  request: FastifyRequest,
): Promise<Identity | Refusal | null> {
  const identity = await identify(context, request);
  // A visitor may send an API key or an old token: the route needs neither.
  if (identity === null || 'refused' in identity) return null;
  return refuseOtherUser(request, identity) ?? identity;
}

/** Nobody is identified yet: another site's page may have sent a person's cookies with it. */
const INSERT = `
  insert into audit_entries (by, address, request_id, action, subject_kind, subject_id, after)
  values ('session', $1, $2, $3, 'route', $3, '{"refused": "cross_site"}')`;

/**
 * Notes in the audit log that a page of another site tried to act for a person. Of each network a
 * few are noted, so that such pages fill no table.
 */
async function noteCrossSite(
  context: AdminContext,
  routeId: RouteId,
  request: FastifyRequest,
): Promise<void> {
  const address = clientAddressOf(request);
  const tooMany = await countAttempt(context, 'cross_site', networkOf(address));
  if (tooMany !== undefined) return;
  await context.pool.query(INSERT, [address, request.id, routeId]);
}

/** Decides whether a request may go on to this route: who it is, from where, with which role. */
export async function authorize(
  context: AdminContext,
  routeId: RouteId,
  request: FastifyRequest,
): Promise<Identity | Refusal | null> {
  const route: AdminRoute = ADMIN_ROUTES[routeId];
  const crossSite = refuseCrossSite(request, context.consoleUrl);
  if (crossSite !== undefined) {
    const isNoted = route.guarded === true && isAudited(route);
    if (isNoted) await noteCrossSite(context, routeId, request);
    return crossSite;
  }
  if (route.caller === 'anyone') {
    return route.seesCaller === true ? seenCaller(context, request) : null;
  }
  const identity = await identify(context, request);
  if (identity === null) {
    return refuse(
      'not_authenticated',
      'Log in, or send a personal access token as "Authorization: Bearer weir_pat_…".',
    );
  }
  if ('refused' in identity) return identity;
  const otherUser = refuseOtherUser(request, identity);
  if (otherUser !== undefined) return otherUser;
  if (!mayCall(identity, routeId)) {
    return route.caller === 'admin'
      ? refuse('role_required', 'Only administrators may do this.')
      : refuse('role_required', explainRole(identity));
  }
  return refuseToken(route, identity) ?? identity;
}
