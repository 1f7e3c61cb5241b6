import type { Logger } from 'pino';
import { startSweeper } from '../ledger/sweeper.ts';
import { startDrain, type UsageDrain } from '../usage/drain.ts';
import { MAKE_PARTITIONS, PARTITIONS_EVERY_MS } from '../usage/usage-partitions.ts';
import type { PeriodicJobs } from '../platform/telemetry/periodic-jobs.ts';
import type { ClosingStack } from './closing-stack.ts';
import type { Stores } from './stores/open-stores.ts';

/**
 * Usage records that wait for Postgres get this long at the end; what is left waits in Redis for
 * the next gateway.
 */
const DRAIN_MS = 10_000;
/** For the transaction that is under way then. */
const DRAIN_MARGIN_MS = 2_000;

/** Starts what carries bills from Redis to Postgres, and what closes holds whose gateway died. */
export function startBookkeeping(
  { redis, pool, ledger }: Stores,
  logger: Logger,
  closing: ClosingStack,
  jobs: PeriodicJobs,
): UsageDrain | null {
  const sweeper = startSweeper({ ledger, logger });
  closing.push('sweeper', () => sweeper.stop());
  if (redis === null) {
    keepPartitions(pool, logger, jobs);
    return null;
  }
  const drain = startDrain({ redis, pool, logger });
  closing.push('usage drain', () => drain.stop(DRAIN_MS), DRAIN_MS + DRAIN_MARGIN_MS);
  return drain;
}

/** Makes the months of the usage table ahead of time; with Redis the drain does it. */
function keepPartitions(pool: Stores['pool'], logger: Logger, jobs: PeriodicJobs): void {
  const run = async (): Promise<boolean> => {
    await pool.query(MAKE_PARTITIONS);
    return true;
  };
  run().catch((error: unknown) => {
    logger.warn({ err: error }, 'the next months of the usage table could not be made');
  });
  jobs.start({ name: 'create usage partitions', everyMs: PARTITIONS_EVERY_MS, run });
}
