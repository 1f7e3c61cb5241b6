/**
 * `npm run faults -- --store postgres --faults 200 --seed 7`: two gateways, a PostgreSQL and, with
 * `--store redis` (the default), a Redis of its own under load. They are killed, frozen and cut off
 * one after another; after each round the books are checked from the stores. The seed decides what
 * happens and when. Exit code 1 at a violation; what the processes said is then left behind.
 */
import '../support/machine/machine-speed.ts';
import { parseArgs } from 'node:util';
import { createFaultFixture } from './fault-fixture.ts';
import { FAULT_KINDS } from './faults.ts';
import { leaveEvidence } from './leave-evidence.ts';
import { runRounds } from './run-rounds.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'redis' },
    faults: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** Separated by commas; all of them when left out. */
    kinds: { type: 'string' },
  },
});
// Only an orderly end takes the gateways with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const store = values.store === 'postgres' ? 'postgres' : 'redis';
const seed = Number(values.seed);
const chosen = values.kinds?.split(',');
console.log(`seed ${seed}, ledger in ${store}, ${values.faults} faults`);
const fixture = await createFaultFixture(store, seed);
const startMs = performance.now();
const report = await runRounds({
  fixture,
  seed,
  faults: Number(values.faults),
  kinds: FAULT_KINDS[store].filter((kind) => chosen?.includes(kind) ?? true),
  print: (line) => {
    console.log(line);
  },
});
const minutes = (performance.now() - startMs) / 60_000;
console.log(`\n${JSON.stringify({ ...report, violations: report.violations.length }, null, 2)}`);
console.log(`${minutes.toFixed(1)} minutes, seed ${seed}, ledger in ${store}`);
if (report.violations.length === 0) {
  console.log('Everything was as promised.');
} else {
  process.exitCode = 1;
  for (const violation of report.violations.slice(0, 20)) console.log(`\n${violation}`);
  console.log(`\nEvidence: ${await leaveEvidence(fixture, report)}`);
}
await fixture.close();
