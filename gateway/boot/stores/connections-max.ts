import { workersPerThread } from '../workers-per-thread.ts';
import type { Config } from '../../platform/config/config.ts';
import { CONNECTIONS } from '../../stores/postgres/pool-sizes.ts';

/** Returns the most connections to PostgreSQL that this process opens. */
export function connectionsMax(
  config: Pick<Config, 'role' | 'gatewayThreads' | 'workerThreads' | 'redisUrl'>,
): number {
  const ofProcess = CONNECTIONS.main + CONNECTIONS.changeFeed;
  if (config.role === 'admin') return ofProcess;
  const ledger = config.redisUrl === null ? CONNECTIONS.asLedger : CONNECTIONS.besideRedis;
  const ofThread = ledger + workersPerThread(config) * CONNECTIONS.worker;
  return ofProcess + config.gatewayThreads * ofThread;
}
