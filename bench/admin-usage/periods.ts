import { USAGE_DAYS_MAX } from '../../shared/watch/usage.ts';

const DAY_MS = 86_400_000;
/** A month that is over and whose records the retention keeps. */
const MONTHS_BACK = 10;

/**
 * The periods of the searches, as texts of the admin API. Records are made for the thirteen months
 * before now.
 */
export interface Periods {
  /** A whole month of the past: its first moment, and the first after it. */
  readonly month: { readonly from: string; readonly to: string };
  /** As many days as may be asked for at once, today the last. */
  readonly year: { readonly from: string; readonly to: string };
  /** The month that is not over yet. */
  readonly thisMonth: string;
}

/** The periods that a run asks about when it begins at `now`. */
export function periodsAt(now: Date): Periods {
  const monthsBack = (count: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString();
  const daysBack = (count: number): string =>
    new Date(now.getTime() - count * DAY_MS).toISOString().slice(0, 10);
  return {
    month: { from: monthsBack(MONTHS_BACK), to: monthsBack(MONTHS_BACK - 1) },
    year: { from: daysBack(USAGE_DAYS_MAX - 1), to: daysBack(0) },
    thisMonth: monthsBack(0).slice(0, 7),
  };
}
