/**
 * `npm run faults -- --kills 200 --seed 7`: two gateways, a Redis and a PostgreSQL of its own under
 * load, one of them killed after another; after each kill the books are checked from the stores.
 * The seed decides what is killed and when. Exit code 1 at a violation; what the processes said is
 * then left behind.
 */
import { parseArgs } from 'node:util';
import { layFaultGround } from './fault-ground.ts';
import { FAULT_KINDS } from './faults.ts';
import { leaveEvidence } from './leave-evidence.ts';
import { runRounds } from './run-rounds.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** Separated by commas; all of them when left out. */
    kinds: { type: 'string', default: FAULT_KINDS.join() },
  },
});
// Only an orderly end takes the gateways with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const seed = Number(values.seed);
console.log(`seed ${seed}, ${values.kills} kills`);
const ground = await layFaultGround();
const startMs = performance.now();
const report = await runRounds({
  ground,
  seed,
  kills: Number(values.kills),
  kinds: FAULT_KINDS.filter((kind) => values.kinds.split(',').includes(kind)),
  print: (line) => {
    console.log(line);
  },
});
const minutes = (performance.now() - startMs) / 60_000;
console.log(`\n${JSON.stringify({ ...report, violations: report.violations.length }, null, 2)}`);
console.log(`${minutes.toFixed(1)} minutes, seed ${seed}`);
if (report.violations.length === 0) {
  console.log('Everything was as promised.');
} else {
  process.exitCode = 1;
  for (const violation of report.violations.slice(0, 20)) console.log(`\n${violation}`);
  console.log(`\nEvidence: ${await leaveEvidence(ground, report)}`);
}
await ground.close();
