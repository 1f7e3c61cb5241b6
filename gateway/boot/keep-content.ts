import type { Logger } from 'pino';
import { startContentWriter, type ContentWriter } from '../content-log/content-writer.ts';
import type { Config } from '../platform/config/config.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import type { ClosingStack } from './closing-stack.ts';
import type { Stores } from './stores/open-stores.ts';

/** Content that waits for PostgreSQL gets this long at the end. */
const WRITE_MS = 3_000;
/** For a statement that is under way then. */
const WRITE_MARGIN_MS = 2_000;

/** Starts what writes the content log of this process to PostgreSQL. */
export function keepContent(
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
