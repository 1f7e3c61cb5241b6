import { movedClockMs } from '../../../../gateway/ledger/status.ts';

let offsetMs = 0;

/** The clock of the stores under test: the real one, moved forward by tests of windows and rates. */
export const testClock = {
  nowMs: (): number => movedClockMs(offsetMs),
  offsetMs: (): number => offsetMs,
  advance: (ms: number): void => {
    offsetMs += ms;
  },
  /** Only `advance` moves it from here on: a rate lets more through the longer a busy machine takes over a test. */
  stop: (): void => {
    offsetMs = testClock.nowMs();
  },
  reset: (): void => {
    offsetMs = 0;
  },
  /** Goes on from where it was stopped. */
  start: (): void => {
    offsetMs = testClock.nowMs() - Date.now();
  },
};
