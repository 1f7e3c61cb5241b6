import { stripVTControlCharacters } from 'node:util';
import type { TestCollection, Vitest } from 'vitest/node';

/**
 * Counts of tests by their outcome. A file, suite or hook that broke counts as one failed test.
 */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function addTallies(one: Tally, two: Tally): Tally {
  return {
    passed: one.passed + two.passed,
    failed: one.failed + two.failed,
    skipped: one.skipped + two.skipped,
  };
}

function brokenSuites(children: TestCollection): number {
  return [...children.allSuites()].filter((suite) => suite.errors().length > 0).length;
}

/**
 * Counts a finished run. A test that never came to run (a cancelled run, a dead worker) counts as
 * failed.
 */
export function tallyVitest(vitest: Vitest): Tally {
  const tally = { passed: 0, failed: vitest.state.getUnhandledErrors().length, skipped: 0 };
  for (const module of vitest.state.getTestModules()) {
    if (module.errors().length > 0) tally.failed += 1;
    tally.failed += brokenSuites(module.children);
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      tally[state === 'pending' ? 'failed' : state] += 1;
    }
  }
  return tally;
}

const COUNTED = /(\d+) (passed|failed|skipped|todo)/g;

/**
 * Reads the counts from what another vitest printed (its summary line "Tests 3 passed | 1 failed
 * (4)"). Without such a line, or when the command failed although every test passed, there is one
 * failed test.
 */
export function tallyOutput(output: string, exitCode: number | null): Tally {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  const summary = /^\s*Tests\s+(.*)$/m.exec(stripVTControlCharacters(output))?.[1];
  for (const [, count, state] of (summary ?? '').matchAll(COUNTED)) {
    const kind = state === 'passed' || state === 'failed' ? state : 'skipped';
    tally[kind] += Number(count);
  }
  const silent = summary === undefined;
  const failedOtherwise = exitCode !== 0 && tally.failed === 0;
  return silent || failedOtherwise ? { ...tally, failed: tally.failed + 1 } : tally;
}

/** The closing line of a test run: `12 passed, 0 failed` or `12 passed, 0 failed, 1 skipped`. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  const line = `${String(passed)} passed, ${String(failed)} failed`;
  return skipped === 0 ? line : `${line}, ${String(skipped)} skipped`;
}
