import { movedClockMs } from '../../../../gateway/ledger/status.ts';

let offsetMs = 0;

/**
 * The clock of the stores under test: the real one, moved forward by tests of windows and rates.
 */
export const testClock = {
  nowMs: (): number => movedClockMs(offsetMs),
  offsetMs: (): number => offsetMs,
  advance: (ms: number): void => {
    offsetMs += ms;
  },
  /**
   * From here on only `advance` moves it: otherwise a rate would allow more the longer a busy
   * machine takes for a test.
   */
  stop: (): void => {
    offsetMs = testClock.nowMs();
  },
  reset: (): void => {
    offsetMs = 0;
  },
  /** Continues from where it was stopped. */
  start: (): void => {
    offsetMs = testClock.nowMs() - Date.now();
  },
};
