import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { refuse } from '../platform/errors/refusal.ts';
import { newRequestId } from '../platform/ids/request-id.ts';
import type { AdminDeps } from './admin-deps.ts';
import { sendProblem } from './api/problem-reply.ts';

/** An import of a thousand models fits; nothing else comes near. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const CONNECTION_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 72_000;

/**
 * Fastify's own reply repeats the path, which may have a secret in it, and is no problem document.
 */
const UNREADABLE_PATH = refuse(
  'unknown_url',
  'This path cannot be read: an identifier in it is too long, or its escapes are no UTF-8.',
);

/**
 * A server on ADMIN_PORT without a route.
 * @param rewritePath the path and query by which a request is routed, from those that were sent
 */
export function openServer(
  deps: Pick<AdminDeps, 'config' | 'logger'>,
  rewritePath: (url: string) => string = (url) => url,
): FastifyInstance {
  // Known to Fastify by the part it uses: its types do not take pino's own for it. A child has a
  // level of its own.
  const loggerInstance: FastifyBaseLogger = deps.logger.child({});
  return fastify({
    loggerInstance,
    // Fastify's own line contains whole addresses; ours, below, contains the route.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: () => newRequestId(Date.now()),
    // Hop 0 is the connection itself; as many proxies are believed as there are.
    trustProxy: (_address, hop) => hop < deps.config.trustedProxyHops,
    frameworkErrors: (_error, _request, reply) => sendProblem(reply, UNREADABLE_PATH),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    rewriteUrl: ({ url = '/' }) => rewritePath(url),
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true },
  }).withTypeProvider<TypeBoxTypeProvider>();
}

/**
 * Listens without Fastify's own line for each of the machine's addresses: where Weir is reached is
 * announced once, when all of it is ready, and as the address that was configured.
 */
export async function listen(
  app: FastifyInstance,
  where: { readonly host: string; readonly port: number },
): Promise<void> {
  const { level } = app.log;
  app.log.level = 'warn';
  try {
    await app.listen(where);
  } finally {
    app.log.level = level;
  }
  // Such as a connection that could not be accepted for want of file descriptors: the next one may
  // be.
  app.server.on('error', (error) => app.log.error({ err: error }, 'ADMIN_PORT failed'));
}
