import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendProblem } from '../api/problem-reply.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { readAddress } from '../../platform/network/address.ts';
import { sameText } from '../../platform/secrets/same-text.ts';

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Headers that a proxy adds: its client may be anyone, however near the proxy is. */
const FORWARDING_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'] as const;

/** ipaddr.js's names of the address ranges that no host on the public internet can have. */
const NEAR_RANGES = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal']);

function isNear(request: FastifyRequest): boolean {
  if (FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)) return false;
  const address = readAddress(request.socket.remoteAddress ?? '');
  return address !== undefined && NEAR_RANGES.has(address.range());
}

function hasToken(request: FastifyRequest, token: string): boolean {
  const sent = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return sameText(sent, token);
}

/** Metrics reveal what is earned, and customers reach the same port. */
function refuseUnauthenticated(request: FastifyRequest, token: string | null): Refusal | undefined {
  if (token !== null) {
    if (hasToken(request, token)) return undefined;
    return refuse('not_authenticated', 'Send METRICS_TOKEN as "Authorization: Bearer …".');
  }
  if (isNear(request)) return undefined;
  return refuse(
    'not_authenticated',
    'Without METRICS_TOKEN, metrics are served only to this machine and its private network, and not through a proxy. Set it, and send it as "Authorization: Bearer …".',
  );
}

/** GET /metrics, for Prometheus: with the token, or without one to callers who are near. */
export function serveMetrics(
  app: FastifyInstance,
  options: { readonly token: string | null; readonly render: () => Promise<string> },
): void {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const refused = refuseUnauthenticated(request, options.token);
    if (refused !== undefined) {
      sendProblem(reply.header('www-authenticate', 'Bearer'), refused);
      return reply;
    }
    return reply.type(METRICS_TYPE).send(await options.render());
  });
}
