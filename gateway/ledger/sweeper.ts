import type { Ledger } from './ledger.ts';
import { type LedgerLog, SILENT_LOG } from './ledger-log.ts';

const SWEEP_EVERY_MS = 1_000;
/** Requests looked at per sweep: bounds what one sweep takes of the store to a few milliseconds. */
const LIMIT = 5_000;

export interface Sweeper {
  /** Ends it; resolves when no sweep is under way any more. */
  stop(): Promise<void>;
}

/** Calls `expire` once a second. Any number of gateways may sweep the same ledger. */
export function startSweeper(options: {
  readonly ledger: Ledger;
  readonly everyMs?: number;
  readonly logger?: LedgerLog;
}): Sweeper {
  const { ledger, everyMs = SWEEP_EVERY_MS, logger = SILENT_LOG } = options;
  let current: Promise<void> | undefined;
  const sweep = async (): Promise<void> => {
    try {
      const closed = await ledger.expire(LIMIT);
      if (closed > 0) logger.info({ closed }, 'Closed holds that had expired');
    } catch (error) {
      logger.warn({ err: error }, 'Holds could not be swept; the next sweep looks again');
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
