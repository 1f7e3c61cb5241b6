/**
 * Preloaded into every process and thread of `npm test`. Threads of tests live for seconds: that
 * each collects all garbage at its start, as threads that serve for months do, was a tenth of the
 * run's CPU time. `give-back-memory.long.test.ts` and all of `npm run test:long` have it collect.
 */
import { registerHooks } from 'node:module';

const MODULE = '/gateway/data-plane/threads/give-back-memory.ts';
const KEEPS = 'export function giveBackMemory() {}';

registerHooks({
  load: (url, context, nextLoad) =>
    url.endsWith(MODULE)
      ? { format: 'module', source: KEEPS, shortCircuit: true }
      : nextLoad(url, context),
});
