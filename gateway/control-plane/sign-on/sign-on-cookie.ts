import type { FastifyReply, FastifyRequest } from 'fastify';
import { newToken } from '../api/callers/opaque-token.ts';

const COOKIE = 'weir_sign_on';

/** A sign-on that takes longer is begun again. */
export const FLOW_MINUTES = 10;

function nameOf(consoleUrl: string): string {
  return consoleUrl.startsWith('https:') ? `__Host-${COOKIE}` : COOKIE;
}

/** The secret of the browser that began a sign-on, if it did. */
export function readBrowserSecret(request: FastifyRequest, consoleUrl: string): string | undefined {
  return request.cookies[nameOf(consoleUrl)];
}

/**
 * Binds sign-ons to this browser, so that a link to someone else’s sign-on is of no use
 * in it. Several tabs share the secret.
 */
export function keepBrowserSecret(
  request: FastifyRequest,
  reply: FastifyReply,
  consoleUrl: string,
): string {
  const secret = readBrowserSecret(request, consoleUrl) ?? newToken();
  void reply.setCookie(nameOf(consoleUrl), secret, {
    path: '/',
    httpOnly: true,
    // Lax: the provider sends the browser back from another site.
    sameSite: 'lax',
    secure: consoleUrl.startsWith('https:'),
    maxAge: FLOW_MINUTES * 60,
  });
  return secret;
}
