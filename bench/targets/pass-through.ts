import { startOwnServer } from '../processes/own-process.ts';
import { ALLOCATOR, LOCAL, type Target } from './target.ts';

/** Starts the bare proxy of baselines/pass-through.ts in front of the upstream. */
export async function startPassThrough(
  upstreamPort: number,
  connectionsMax: number,
): Promise<Target> {
  const server = await startOwnServer(
    'baselines/pass-through.ts',
    [`http://${LOCAL}:${upstreamPort}`, String(connectionsMax)],
    ALLOCATOR,
  );
  return {
    name: 'pass-through',
    destination: { host: LOCAL, port: server.port },
    pid: server.pid,
    headers: {},
    tidy: () => undefined,
    stop: () => server.stop(),
    kill: () => server.stop(),
  };
}
