import type { FastifyInstance } from 'fastify';
import type { OPERATION_ROUTES } from '@weir/shared/api/admin-routes/operation';
import type { StoresState } from '../../data-plane/threads/messages.ts';
import type { HandlersOf } from '../api/call.ts';

export const healthHandlers: HandlersOf<Pick<typeof OPERATION_ROUTES, 'getHealth'>> = {
  getHealth: async ({ context }) => {
    await context.pool.query('select 1');
    return { status: 'ok' };
  },
};

/**
 * GET /ready: the console can be used. Unlike a gateway, the admin API writes with every log-in, so
 * it is not ready while PostgreSQL takes no changes.
 */
export function serveReady(app: FastifyInstance, storesState: () => StoresState): void {
  app.get('/ready', { schema: { hide: true }, config: { rateLimit: false } }, (_request, reply) => {
    const { postgresReady: postgres, notReady } = storesState();
    const reasons = [
      ...(postgres ? [] : ['PostgreSQL is away or takes no changes; the log says why.']),
      ...(notReady === null ? [] : [notReady]),
    ];
    const isReady = reasons.length === 0;
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ready' : 'not_ready', postgres, reasons });
  });
}

/**
 * GET /health: this process runs its event loop. An orchestrator restarts what does not answer, so
 * the stores have no say in it: a restart would not bring them back. The path is the gateway's, so
 * that one health check serves every role.
 */
export function serveHealth(app: FastifyInstance): void {
  app.get(
    '/health',
    // A flood of this port from the same address must not have the process restarted.
    { schema: { hide: true }, config: { rateLimit: false } },
    (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
}
