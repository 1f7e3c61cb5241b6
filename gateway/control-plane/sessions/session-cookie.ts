import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_COOKIE } from '@weir/shared/people/sessions';

/**
 * `__Host-` pins the cookie to this host and to https; browsers refuse the prefix on plain http.
 */
function cookieName(consoleUrl: string): string {
  return consoleUrl.startsWith('https:') ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE;
}

function attributes(consoleUrl: string) {
  return {
    path: '/',
    httpOnly: true,
    // Lax: a link in a mail arrives logged in; other sites' forms and scripts do not.
    sameSite: 'lax',
    secure: consoleUrl.startsWith('https:'),
  } as const;
}

export function readSessionCookie(request: FastifyRequest, consoleUrl: string): string | undefined {
  return request.cookies[cookieName(consoleUrl)];
}

export function setSessionCookie(
  reply: FastifyReply,
  consoleUrl: string,
  session: { readonly token: string; readonly expiresAt: Date },
): void {
  void reply.setCookie(cookieName(consoleUrl), session.token, {
    ...attributes(consoleUrl),
    expires: session.expiresAt,
  });
}

export function clearSessionCookie(reply: FastifyReply, consoleUrl: string): void {
  void reply.clearCookie(cookieName(consoleUrl), attributes(consoleUrl));
}
