import { functionOf, type LoadedFunction } from './load-function.ts';
import { loadScript } from './load-script.ts';

/**
 * Younger requests are in the hash of their bucket; older ones are compacted (lua/requests.lua).
 */
export const HOT_MS = 60_000;

/** All ledger calls as one function of Redis (lua/batch.lua). */
export function batchFunction(options: {
  readonly hotMs: number;
  readonly closedMemoryMs: number;
}): LoadedFunction {
  return functionOf(
    loadScript(new URL('../lua/', import.meta.url), 'batch.lua', {
      HOT_MS: options.hotMs,
      CLOSED_MEMORY_MS: options.closedMemoryMs,
    }),
  );
}
