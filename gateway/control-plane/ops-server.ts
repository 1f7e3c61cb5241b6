import type { FastifyInstance } from 'fastify';
import { refuse } from '../platform/errors/refusal.ts';
import type { AdminDeps } from './admin-deps.ts';
import { handleErrors } from './api/error-handler.ts';
import { sendProblem } from './api/problem-reply.ts';
import { serveHealth } from './health/health.ts';
import { openServer } from './open-server.ts';

/**
 * Builds the server on ADMIN_PORT for a process without the admin API, so that monitors find all
 * processes at the same port.
 */
export function createOpsServer(deps: Pick<AdminDeps, 'config' | 'logger'>): FastifyInstance {
  const app = openServer(deps);
  handleErrors(app);
  serveHealth(app);
  app.setNotFoundHandler((_request, reply) => {
    sendProblem(
      reply,
      refuse('unknown_url', 'This process serves requests alone: here are /health and /metrics.'),
    );
  });
  return app;
}
