import type { Logger } from 'pino';
import { type ContentWriter, startContentWriter } from '../content-log/content-writer.ts';
import type { Config } from '../platform/config/config.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import type { PeriodicJobs } from '../platform/telemetry/periodic-jobs.ts';
import { type HistoryWriter, startHistoryWriter } from '../request-history/history-writer.ts';
import type { ClosingStack } from './closing-stack.ts';
import type { Stores } from './stores/open-stores.ts';

/** Entries and content that wait for PostgreSQL get this long at the end. */
const WRITE_MS = 3_000;
/** For a statement that is under way then. */
const WRITE_MARGIN_MS = 2_000;

/** Days are made ahead of time, so that none is missing when it begins. */
const PARTITIONS_EVERY_MS = 3_600_000;
const DAYS_AHEAD = 3;
const MAKE_PARTITIONS = `select ensure_request_partitions(${DAYS_AHEAD})`;

/** Starts what writes the request history of this process to PostgreSQL. */
async function keepRequests(
  { pool }: Pick<Stores, 'pool'>,
  { logger, closing, jobs }: { logger: Logger; closing: ClosingStack; jobs: PeriodicJobs },
): Promise<HistoryWriter> {
  const run = async (): Promise<boolean> => {
    await pool.query(MAKE_PARTITIONS);
    return true;
  };
  await run().catch((error: unknown) => {
    logger.warn({ err: error }, 'the next days of the request log could not be made');
  });
  jobs.start({ name: 'create request partitions', everyMs: PARTITIONS_EVERY_MS, run });
  const writer = startHistoryWriter(pool, logger);
  closing.push('request history', () => writer.stop(WRITE_MS), WRITE_MS + WRITE_MARGIN_MS);
  return writer;
}

/** Starts what writes the content log of this process to PostgreSQL. */
function keepContent(
  { pool }: Pick<Stores, 'pool'>,
  {
    config,
    secrets,
    logger,
    closing,
  }: { config: Config; secrets: Secrets; logger: Logger; closing: ClosingStack },
): ContentWriter {
  const writer = startContentWriter({
    pool,
    secrets,
    logger,
    bytesMax: config.contentLogBytesMax,
    daysMax: config.contentLogDaysMax,
    accountDayBytesMax: config.contentLogAccountDayBytesMax,
  });
  closing.push('content log', () => writer.stop(WRITE_MS), WRITE_MS + WRITE_MARGIN_MS);
  return writer;
}

/** The writers of what HTTP threads hand on; null in a process without any. */
export interface Writers {
  readonly history: HistoryWriter | null;
  readonly content: ContentWriter | null;
}

/** Starts the writers of a process with HTTP threads; the closing stack ends them. */
export async function startWriters(
  stores: Stores,
  process: {
    readonly config: Config;
    readonly secrets: Secrets;
    readonly logger: Logger;
    readonly closing: ClosingStack;
    readonly jobs: PeriodicJobs;
  },
): Promise<Writers> {
  if (process.config.role === 'admin') return { history: null, content: null };
  return {
    history: await keepRequests(stores, process),
    content: keepContent(stores, process),
  };
}
