import { movedClockMs } from '../../../../gateway/ledger/status.ts';

let offsetMs = 0;

/** The clock of the stores under test: the real one, moved forward by tests of windows and rates. */
export const testClock = {
  nowMs: (): number => movedClockMs(offsetMs),
  offsetMs: (): number => offsetMs,
  advance: (ms: number): void => {
    offsetMs += ms;
  },
  /** Stands still while the work is done: what it asks for at once comes at once, however slow the machine is. */
  standing: async (work: () => Promise<void>): Promise<void> => {
    offsetMs = movedClockMs(offsetMs);
    try {
      await work();
    } finally {
      offsetMs -= Date.now();
    }
  },
  reset: (): void => {
    offsetMs = 0;
  },
};
