import type { FastifyInstance } from 'fastify';
import type { OPERATION_ROUTES } from '@weir/shared/admin-routes/operation';
import type { HandlersOf } from '../api/call.ts';

export const healthHandlers: HandlersOf<Pick<typeof OPERATION_ROUTES, 'getHealth'>> = {
  getHealth: async ({ context }) => {
    await context.pool.query('select 1');
    return { status: 'ok' };
  },
};

/**
 * GET /health: this process runs its event loop. An orchestrator restarts what does not answer, so
 * the stores have no say in it: a restart would not bring them back. The path is the gateway's, so
 * that one health check serves every role.
 */
export function serveHealth(app: FastifyInstance): void {
  app.get(
    '/health',
    // Whoever floods this port from the same address must not have the process restarted.
    { schema: { hide: true }, config: { rateLimit: false } },
    (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
}
