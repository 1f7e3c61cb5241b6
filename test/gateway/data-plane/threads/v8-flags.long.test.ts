import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { getHeapCodeStatistics } from 'node:v8';
import { compileFunction } from 'node:vm';
import { expect, it } from 'vitest';
import { keepCompiledCode } from '../../../../gateway/data-plane/threads/v8-flags.ts';

const FUNCTIONS = 2_000;
/** V8 forgets what did not run for six of them. */
const COLLECTIONS = 9;

/** Compiled each by itself, and run once. */
function compileMany(): object[] {
  return Array.from({ length: FUNCTIONS }, (_, index) => {
    const code = `let sum = ${index}; while (times-- > 0) sum += ${index}; return sum;`;
    const compiled = compileFunction(code, ['times']);
    Reflect.apply(compiled, undefined, [3]);
    return compiled;
  });
}

function kindOf(entry: PerformanceEntry): unknown {
  const detail: unknown = 'detail' in entry ? entry.detail : undefined;
  return typeof detail === 'object' && detail !== null && 'kind' in detail
    ? detail.kind
    : undefined;
}

/**
 * Lets V8 collect its old generation as it does in a server: a collection that is asked for keeps
 * all code.
 */
async function collect(): Promise<void> {
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1;
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  let garbage: number[][] = [];
  while (collections < COLLECTIONS) {
    garbage = Array.from({ length: 400 }, (_, index) => Array<number>(20_000).fill(index));
    await turn();
  }
  observer.disconnect();
  expect(garbage).toHaveLength(400);
}

it('lets V8 keep the code of functions that have not run for long', async () => {
  const before = getHeapCodeStatistics().bytecode_and_metadata_size;
  keepCompiledCode();
  const compiled = compileMany();
  await collect();
  const grown = getHeapCodeStatistics().bytecode_and_metadata_size - before;
  // Some 140 bytes each; otherwise it falls by what else the process no longer uses.
  expect(grown).toBeGreaterThan(FUNCTIONS * 100);
  expect(compiled).toHaveLength(FUNCTIONS);
});
