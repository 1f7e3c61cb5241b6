import type pg from 'pg';
import { createPostgresLedger, createRedisLedger } from '../../gateway/ledger/create-ledger.ts';
import {
  reconcileRecords,
  reconcilePostgresLedger,
} from '../../gateway/ledger/reconcile/reconcile-postgres.ts';
import { reconcileRedis } from '../../gateway/ledger/reconcile/reconcile-redis.ts';
import { connectRedis } from '../../gateway/stores/redis/connect.ts';
import { startDrain } from '../../gateway/usage/drain.ts';
import { untilDrained } from '../gateway/ledger/support/drain-all.ts';
import { HANG_MS } from '../support/clocks/hang.ts';
import { compareBook } from './compare-book.ts';
import { runSimulation, type SimulationReport } from './run-simulation.ts';

const DAY_MS = 86_400_000;
/**
 * Holds are noticed to have expired when their bucket is cold: two pages of 65.536 s and the minute
 * they stay hot.
 */
const REDIS_NOTICE_MS = 200_000;

export interface StageOptions {
  readonly seed: number;
  readonly pool: pg.Pool;
  /** Null runs the ledger in PostgreSQL. */
  readonly redisUrl: string | null;
  readonly seconds: number;
  readonly operationsMax: number;
}

/**
 * One simulation from the first credit to the last record in the book, and everything reconciled at
 * the end. Both stores must be its own: the Redis database is emptied first.
 */
export async function stage(options: StageOptions): Promise<SimulationReport> {
  return options.redisUrl === null
    ? stageInPostgres(options)
    : stageInRedis(options, options.redisUrl);
}

async function stageInRedis(options: StageOptions, redisUrl: string): Promise<SimulationReport> {
  const { seed, pool, seconds, operationsMax } = options;
  const redis = connectRedis(redisUrl);
  await redis.connect();
  // What another run left belongs to another Postgres, whose epochs it would contradict.
  await redis.flushdb();
  let clockMs = 0;
  const ledger = createRedisLedger({
    redis,
    pool,
    closedMemoryMs: DAY_MS,
    timeoutMs: HANG_MS,
    clockOffsetMs: () => clockMs,
  });
  const drain = startDrain({ redis, pool, ageMsMin: 0 });
  try {
    const report = await runSimulation({
      seed,
      ledger,
      pool,
      setClock: (nowMs) => {
        clockMs = nowMs;
      },
      customers: 60,
      stepsPerRoundMax: 300,
      ordered: true,
      expiryNoticeMs: REDIS_NOTICE_MS,
      // Redis forgets by the real clock, which nobody moves.
      closedMemoryMs: Infinity,
      // The sweeper walks over every four seconds of a day that was jumped over, in every
      // partition.
      jumpEvery: 1_000,
      jumpDaysMax: 3,
      untilMs: performance.now() + seconds * 1_000,
      stepsMax: operationsMax,
    });
    await untilDrained(redis, drain);
    const { differences } = await reconcileRedis(redis, pool);
    return await withBook(report, pool, differences);
  } finally {
    await drain.stop(0);
    await ledger.close();
    redis.disconnect();
  }
}

async function stageInPostgres(options: StageOptions): Promise<SimulationReport> {
  const { seed, pool, seconds, operationsMax } = options;
  let clockMs = 0;
  const ledger = createPostgresLedger({
    pool,
    closedMemoryMs: DAY_MS,
    clockOffsetMs: () => clockMs,
  });
  const report = await runSimulation({
    seed,
    ledger,
    pool,
    setClock: (nowMs) => {
      clockMs = nowMs;
    },
    customers: 40,
    stepsPerRoundMax: 12,
    ordered: false,
    expiryNoticeMs: 0,
    closedMemoryMs: DAY_MS,
    jumpEvery: 500,
    jumpDaysMax: 40,
    untilMs: performance.now() + seconds * 1_000,
    stepsMax: operationsMax,
  });
  return withBook(report, pool, await reconcilePostgresLedger(pool));
}

async function withBook(
  report: SimulationReport,
  pool: pg.Pool,
  differences: readonly object[],
): Promise<SimulationReport> {
  if (report.deviations.length > 0) return report;
  const deviations = [
    ...(await compareBook(pool, report.auditor)),
    ...[...(await reconcileRecords(pool)), ...differences].map((entry) => JSON.stringify(entry)),
  ];
  return { ...report, deviations };
}
