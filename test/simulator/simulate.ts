/**
 * `npm run simulate -- --seconds 60 --seed 7 --store redis|postgres`: a seeded workload on a Redis
 * and a PostgreSQL of its own, every answer compared with an independent auditor's. The same seed
 * makes the same calls. Exit code 1 at a deviation.
 */
import '../support/machine/machine-speed.ts';
import { parseArgs } from 'node:util';
import { openPool } from '../../gateway/stores/postgres/connect.ts';
import { migrate } from '../../gateway/stores/postgres/migrate.ts';
import { startPostgres } from '../support/stores/postgres-server.ts';
import { startRedis } from '../support/stores/redis-server.ts';
import { stage } from './stage.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    store: { type: 'string', default: 'redis' },
    operations: { type: 'string', default: 'Infinity' },
  },
});

const postgres = await startPostgres();
const redis = values.store === 'redis' ? await startRedis({ appendonly: true }) : null;
const pool = openPool(postgres.url, { connectionsMax: 12, applicationName: 'simulator' });
await migrate(pool);
console.log(`seed ${values.seed}, ${values.store}, ${values.seconds} s`);
const startMs = performance.now();
const report = await stage({
  seed: Number(values.seed),
  pool,
  redisUrl: redis?.url ?? null,
  seconds: Number(values.seconds),
  operationsMax: Number(values.operations),
});
const seconds = (performance.now() - startMs) / 1_000;
for (const [name, count] of Object.entries(report.outcomes).sort(([a], [b]) =>
  a.localeCompare(b),
)) {
  console.log(`${String(count).padStart(9)}  ${name}`);
}
console.log(
  `${String(report.operations)} operations in ${seconds.toFixed(1)} s, ${report.simulatedDays.toFixed(1)} simulated days, ${report.auditor.bills.size} bills of replies`,
);
for (const deviation of report.deviations.slice(0, 10)) console.log(`\n${deviation}`);
console.log(report.deviations.length === 0 ? 'Everything as the auditor said.' : 'Deviations!');
process.exitCode = report.deviations.length === 0 ? 0 : 1;
await pool.end();
await Promise.all([postgres.stop(), redis?.stop()]);
