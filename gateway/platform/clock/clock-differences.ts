/** The difference between a store's clock and this machine's. */
export interface ClockReading {
  /** "PostgreSQL", "Redis", in a cluster with its address. */
  readonly name: string;
  /** The store's clock less this machine's; negative when the store's is behind. */
  readonly differenceMs: number;
}

/** A clock that is not where the others are. */
export interface ClockDifference {
  readonly name: string;
  /** Difference from the median of all clocks; negative when it is behind. */
  readonly aheadMs: number;
  readonly message: string;
}

/** Machines that keep their time by NTP differ by milliseconds. */
export const CLOCK_DIFFERENCE_REPORTED_MS = 5_000;

const MACHINE = 'this machine';

/**
 * The clocks that differ by more than a few seconds from the others, this machine's among them. Of
 * two clocks none is in the middle: the store's is taken as right, since money is filed by it.
 */
export function findDifferences(readings: readonly ClockReading[]): ClockDifference[] {
  const [first] = readings;
  if (first === undefined) return [];
  const clocks = [{ name: MACHINE, differenceMs: 0 }, ...readings];
  const middle =
    clocks.length === 2
      ? first
      : clocks.toSorted((a, b) => a.differenceMs - b.differenceMs)[Math.floor(clocks.length / 2)];
  const reference = middle ?? first;
  const others = clocks.length === 2 ? `that of ${reference.name}` : 'the other clocks';
  return clocks
    .map(({ name, differenceMs }) => ({ name, aheadMs: differenceMs - reference.differenceMs }))
    .filter(({ aheadMs }) => Math.abs(aheadMs) > CLOCK_DIFFERENCE_REPORTED_MS)
    .map(({ name, aheadMs }) => ({
      name,
      aheadMs,
      message: `The clock of ${name} is ${spanText(Math.abs(aheadMs))} ${aheadMs < 0 ? 'behind' : 'ahead of'} ${others}. Keep all clocks by NTP: money is filed under the time of the ledger's store.`,
    }));
}

const UNITS = [
  [86_400_000, 'days'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;
/** Below so many of a unit the next smaller one says it better: 26 h, not 1 day. */
const UNITS_MIN = 2;

/** "26 h", "70 days": as exact as somebody needs who looks for the cause. */
export function spanText(ms: number): string {
  const [unitMs, unit] = UNITS.find(([size]) => ms >= UNITS_MIN * size) ?? [1_000, 's'];
  return `${Math.round(ms / unitMs)} ${unit}`;
}
