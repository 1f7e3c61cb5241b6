import { startOwnServer } from '../processes/own-process.ts';
import { ALLOCATOR, LOCAL, type Target } from './target.ts';

/**
 * Starts one of our own proxies (baselines/) in front of the upstream.
 *
 * @param needs what the proxy is told besides: the addresses of its stores, which must be its own
 */
export async function startBaseline(
  name: 'pass-through' | 'metered',
  upstreamPort: number,
  connectionsMax: number,
  needs: readonly string[] = [],
): Promise<Target> {
  const server = await startOwnServer(
    `baselines/${name}.ts`,
    [`http://${LOCAL}:${upstreamPort}`, String(connectionsMax), ...needs],
    ALLOCATOR,
  );
  return {
    name,
    destination: { host: LOCAL, port: server.port },
    pid: server.pid,
    headers: {},
    tidy: () => undefined,
    stop: () => server.stop(),
    kill: () => server.stop(),
  };
}
