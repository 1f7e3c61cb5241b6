import type { Ground } from '../ground/ground.ts';
import { startOwnServer } from '../processes/own-process.ts';
import { ALLOCATOR, LOCAL, type Target } from './target.ts';

/** Starts the proxy of baselines/metered.ts, on stores that nobody else uses. */
export async function startMetered(ground: Ground, connectionsMax: number): Promise<Target> {
  const { upstreamPort, redisUrl, databaseUrl } = ground;
  const server = await startOwnServer(
    'baselines/metered.ts',
    [`http://${LOCAL}:${upstreamPort}`, String(connectionsMax), redisUrl, databaseUrl],
    ALLOCATOR,
  );
  return {
    name: 'metered',
    destination: { host: LOCAL, port: server.port },
    pid: server.pid,
    headers: {},
    tidy: () => undefined,
    stop: () => server.stop(),
    kill: () => server.stop(),
  };
}
