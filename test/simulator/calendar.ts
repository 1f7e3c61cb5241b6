import type { AllowanceWindow } from '../../gateway/ledger/ledger.ts';

const DAY_MS = 86_400_000;

export type Period = 'total' | 'day' | 'month';
const LENGTHS = { '5h': 5 * 3_600_000, day: DAY_MS, week: 7 * DAY_MS };

/**
 * `months` after a time, on the same day of the month or the month's last. By JavaScript's
 * calendar, unlike the stores'.
 */
function addMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), last);
  return first.getTime() + (day - 1) * DAY_MS + (ms % DAY_MS);
}

/** A month's window is 30 days at least. */
function monthBound(startedAtMs: number, months: number): number {
  return Math.max(addMonths(startedAtMs, months), startedAtMs + months * 30 * DAY_MS);
}

/** Start and end of the window that a time is in, counted from `startedAtMs`. */
export function windowOf(
  window: AllowanceWindow,
  startedAtMs: number,
  ms: number,
): readonly [number, number] {
  if (window !== 'month') {
    const length = LENGTHS[window];
    const count = Math.max(0, Math.floor((ms - startedAtMs) / length));
    return [startedAtMs + count * length, startedAtMs + (count + 1) * length];
  }
  let months = 0;
  while (monthBound(startedAtMs, months + 1) <= ms) months += 1;
  return [monthBound(startedAtMs, months), monthBound(startedAtMs, months + 1)];
}

const dates = new Map<string, Intl.DateTimeFormat>();

/** The date in a time zone, as the UTC midnight of that date: by ICU, unlike the stores'. */
function localDateOf(zone: string, ms: number): number {
  if (zone === 'UTC') return Math.floor(ms / DAY_MS) * DAY_MS;
  let format = dates.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
    dates.set(zone, format);
  }
  return Date.parse(`${format.format(ms)}T00:00:00Z`);
}

/** Start of the day or month that a time is in, named by the UTC midnight of its first date. */
export function periodStartOf(period: Period, ms: number, zone: string): number {
  if (period === 'total') return 0;
  const start = localDateOf(zone, ms);
  const date = new Date(start);
  return period === 'day' ? start : Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** The moment at which that day or month ends. */
export function periodEndOf(period: Exclude<Period, 'total'>, ms: number, zone: string): number {
  const start = periodStartOf(period, ms, zone);
  let [before, after] = [ms, ms + 33 * DAY_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (periodStartOf(period, middle, zone) > start) after = middle;
    else before = middle;
  }
  return after;
}
