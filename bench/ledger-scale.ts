/**
 * Measures the ledger in Redis with many accounts and with a busy one, on stores of its own:
 *
 *   npm run bench:ledger-scale [-- --sizes 100,100000,1000000 --rounds 12 --holds 400 --round-ms 1000]
 *
 * Prints the median time of a hold for each number of accounts loaded, then CPU per request (a hold
 * and its settle) of Redis and of the caller when one account makes all requests and when 10,000
 * make them in turn, and last what budgets cost: none, those of the key, and those of account,
 * team, member and key, on both stores.
 */
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { createPostgresLedger } from '../gateway/ledger/create-ledger.ts';
import type { Ledger } from '../gateway/ledger/ledger.ts';
import { openPool } from '../gateway/stores/postgres/connect.ts';
import { migrate } from '../gateway/stores/postgres/migrate.ts';
import { startPostgres } from '../test/support/stores/postgres-server.ts';
import { measureHoldLatency } from './ledger-scale/hold-latency.ts';
import { measureHotAccount, type RequestCost } from './ledger-scale/hot-account.ts';
import { LEVEL_KINDS, type LevelKind, measureLevels } from './ledger-scale/budget-levels.ts';
import {
  budgetedPayerAt,
  insertAccounts,
  keyBudgetedPayerAt,
  type LedgerGround,
  openLedgerGround,
  payerAt,
} from './ledger-scale/ledger-ground.ts';
import { median } from './measure/figure.ts';
import { cpuTimeUs } from './processes/process-tree.ts';

const MANY_ACCOUNTS = 10_000;
/** Payers of the comparison of budgets, in turn. */
const LEVEL_PAYERS = 100;
const CALLERS = 64;
/** The ledgers of two HTTP threads. */
const LEDGERS = 2;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100,100000,1000000' },
    rounds: { type: 'string', default: '12' },
    holds: { type: 'string', default: '400' },
    'round-ms': { type: 'string', default: '1000' },
  },
});
const rounds = Number(values.rounds);

function spread(figures: readonly number[]): string {
  return `${median(figures).toFixed(1)} µs (${Math.min(...figures).toFixed(1)}–${Math.max(...figures).toFixed(1)})`;
}

/** Median of the rounds' own ratios, so that what slows down a whole round does not count. */
function ratioTo(base: readonly number[] | undefined, figures: readonly number[]): string {
  return median(figures.map((us, round) => us / (base?.[round] ?? us))).toFixed(3);
}

const postgres = await startPostgres();
const pool = openPool(postgres.url, { connectionsMax: 8, applicationName: 'bench' });
await migrate(pool);
const grounds: LedgerGround[] = [];
for (const accounts of values.sizes.split(',').map(Number)) {
  const startMs = performance.now();
  const ground = await openLedgerGround(pool, { accounts, ledgers: 1 });
  grounds.push(ground);
  const memory = /used_memory:(\d+)/.exec(await ground.redis.info('memory'))?.[1] ?? '';
  console.log(
    `${String(accounts)} accounts loaded in ${((performance.now() - startMs) / 1_000).toFixed(1)} s, Redis uses ${(Number(memory) / 2 ** 20).toFixed(0)} MB`,
  );
}
const latencies = await measureHoldLatency(grounds, {
  rounds,
  holdsPerRound: Number(values.holds),
});
const [first] = latencies;
for (const { accounts, p50Us, bareP50Us } of latencies) {
  console.log(
    `hold, ${String(accounts)} accounts: p50 ${spread(p50Us)}, ${ratioTo(first?.p50Us, p50Us)} × the first; ` +
      `a script that only reads and writes an account: ${spread(bareP50Us)}, ${ratioTo(first?.bareP50Us, bareP50Us)} ×`,
  );
}
for (const ground of grounds) await ground.close();

const ground = await openLedgerGround(pool, { accounts: MANY_ACCOUNTS, ledgers: LEDGERS });
const costs = await measureHotAccount({
  ground,
  callers: CALLERS,
  rounds,
  roundMs: Number(values['round-ms']),
});
const rows: [string, (cost: RequestCost) => number][] = [
  ['Redis', ({ redisUs }) => redisUs],
  ['caller', ({ callerUs }) => callerUs],
  ['both', ({ redisUs, callerUs }) => redisUs + callerUs],
];
for (const [name, of] of rows) {
  const ratio = median(costs.map(({ hot, many }) => of(hot) / of(many)));
  console.log(
    `CPU per request, ${name}: one account ${spread(costs.map(({ hot }) => of(hot)))}, ${String(MANY_ACCOUNTS)} accounts ${spread(costs.map(({ many }) => of(many)))}, ratio ${ratio.toFixed(3)}`,
  );
}
await insertAccounts(pool, LEVEL_PAYERS);
await printLevels('Redis', ground.ledgers[0], {
  storeCpuUs: () => cpuTimeUs(ground.redisPid),
  dropUsage: () => ground.dropUsage(),
});
await ground.close();
const postgresLedger = createPostgresLedger({ pool });
await printLevels('PostgreSQL', postgresLedger, {
  storeCpuUs: await sessionsCpu(pool),
  // It enters each record at once.
  dropUsage: () => Promise.resolve(),
});
await postgresLedger.close();
await pool.end();
await postgres.stop();

async function printLevels(
  store: string,
  ledger: Ledger | undefined,
  counted: Pick<Parameters<typeof measureLevels>[0], 'storeCpuUs' | 'dropUsage'>,
): Promise<void> {
  if (ledger === undefined) throw new Error('no ledger');
  const payers = { none: payerAt, key: keyBudgetedPayerAt, four: budgetedPayerAt };
  const of = (kind: LevelKind) =>
    Array.from({ length: LEVEL_PAYERS }, (_value, index) => payers[kind](index));
  const measured = await measureLevels({
    ledger,
    payers: { none: of('none'), key: of('key'), four: of('four') },
    rounds,
    holdsPerRound: Number(values.holds),
    callers: CALLERS,
    ...counted,
  });
  const base = measured.none.map(({ holdUs }) => holdUs);
  const baseCpu = measured.none.map(({ storeUs }) => storeUs);
  for (const kind of LEVEL_KINDS) {
    const holds = measured[kind].map(({ holdUs }) => holdUs);
    const cpu = measured[kind].map(({ storeUs }) => storeUs);
    console.log(
      `hold in ${store}, budgets: ${kind}: p50 ${spread(holds)}, ${ratioTo(base, holds)} × none; ` +
        `CPU of the store per request ${spread(cpu)}, ${ratioTo(baseCpu, cpu)} × none`,
    );
  }
}

/** Opens all sessions of the pool. Returns the clock of their CPU time, microseconds. */
async function sessionsCpu(sessions: pg.Pool): Promise<() => number> {
  await Promise.all(
    Array.from({ length: sessions.options.max }, () => sessions.query('select pg_sleep(0.1)')),
  );
  const { rows } = await sessions.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1',
    ['bench'],
  );
  return () => rows.reduce((sum, { pid }) => sum + cpuTimeUs(pid), 0);
}
