import { expect, it, onTestFinished } from 'vitest';
import { HANG_MS } from '../support/clocks/hang.ts';
import { createFaultFixture } from './fault-fixture.ts';
import { FAULT_KINDS } from './faults.ts';
import { runRounds } from './run-rounds.ts';

const FAULTS = 8;
const SEED = 5;

/** Longer runs with other seeds: `npm run faults`. */
it.each(['redis', 'postgres'] as const)(
  'no fault of a gateway or a store costs a bill, charges one twice or leaves a hold, with the ledger in %s',
  { timeout: 10 * HANG_MS },
  async (store) => {
    const fixture = await createFaultFixture(store, SEED);
    onTestFinished(() => fixture.close());
    const lines: string[] = [];
    const report = await runRounds({
      fixture,
      seed: SEED,
      faults: FAULTS,
      kinds: FAULT_KINDS[store],
      print: (line) => lines.push(line),
    });
    expect(report.violations, lines.join('\n')).toEqual([]);
    // A run under which nothing was going on would show nothing.
    expect(report.replies.finished).toBeGreaterThan(100);
    expect(report.spoken).toBeGreaterThan(10);
  },
);
