import { expect, it, onTestFinished } from 'vitest';
import { HANG_MS } from '../support/hang.ts';
import { layFaultGround } from './fault-ground.ts';
import { FAULT_KINDS } from './faults.ts';
import { runRounds } from './run-rounds.ts';

const KILLS = 6;

/** Longer runs with other seeds: `npm run faults`. */
it(
  'no kill of a gateway, Redis or PostgreSQL costs a bill, charges one twice or leaves a hold',
  { timeout: 10 * HANG_MS },
  async () => {
    const ground = await layFaultGround();
    onTestFinished(() => ground.close());
    const lines: string[] = [];
    const report = await runRounds({
      ground,
      seed: 5,
      kills: KILLS,
      kinds: FAULT_KINDS,
      print: (line) => lines.push(line),
    });
    expect(report.violations, lines.join('\n')).toEqual([]);
    // A run under which nothing was going on would show nothing.
    expect(report.replies.finished).toBeGreaterThan(100);
  },
);
