import { causeOf } from '../platform/errors/cause-of.ts';
import type { Ledger } from './ledger.ts';
import { type LedgerLog, SILENT_LOG } from './ledger-log.ts';

const SWEEP_EVERY_MS = 1_000;
/** Requests per sweep: keeps a sweep within a few milliseconds of the store's time. */
const LIMIT = 5_000;

export interface Sweeper {
  /** Stops it; resolves when no sweep is running. */
  stop(): Promise<void>;
}

/**
 * Calls `expire` once a second. Any number of gateways may sweep the same ledger. An outage is
 * logged once, and so is its end: a line per second would hide the rest of the log.
 */
export function startSweeper(options: {
  readonly ledger: Ledger;
  readonly everyMs?: number;
  readonly logger?: LedgerLog;
}): Sweeper {
  const { ledger, everyMs = SWEEP_EVERY_MS, logger = SILENT_LOG } = options;
  let current: Promise<void> | undefined;
  let failing = false;
  const sweep = async (): Promise<void> => {
    try {
      const closed = await ledger.expire(LIMIT);
      if (failing) logger.info({}, 'Holds are swept again');
      failing = false;
      if (closed > 0) logger.info({ closed }, 'Closed holds that had expired');
    } catch (error) {
      const cause = causeOf(error);
      if (!failing) logger.warn({ cause }, 'Holds cannot be swept; trying again each second');
      failing = true;
    } finally {
      current = undefined;
    }
  };
  const timer = setInterval(() => {
    current ??= sweep();
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await current;
    },
  };
}
