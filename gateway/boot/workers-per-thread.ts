import { availableParallelism } from 'node:os';
import type { Config } from '../platform/config/config.ts';

/**
 * WORKER_THREADS split over the HTTP threads that are sensible on this machine, at least one each.
 */
export function workersPerThread({
  workerThreads,
  gatewayThreads,
}: Pick<Config, 'workerThreads' | 'gatewayThreads'>): number {
  const each = Math.floor(workerThreads / gatewayThreads);
  return Math.min(Math.max(1, each), Math.max(1, availableParallelism()));
}
