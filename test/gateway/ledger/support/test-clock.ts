let offsetMs = 0;

/** The clock of the stores under test: the real one, moved forward by tests of windows and rates. */
export const testClock = {
  nowMs: (): number => Date.now() + offsetMs,
  offsetMs: (): number => offsetMs,
  advance: (ms: number): void => {
    offsetMs += ms;
  },
  reset: (): void => {
    offsetMs = 0;
  },
};
