import type { FastifyInstance } from 'fastify';

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
