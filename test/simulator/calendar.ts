import type { AllowanceWindow } from '../../gateway/ledger/ledger.ts';

const DAY_MS = 86_400_000;
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

/** Start and end of the UTC day or month that a time is in. */
export function periodOf(period: 'total' | 'day' | 'month', ms: number): readonly [number, number] {
  if (period === 'total') return [0, Infinity];
  if (period === 'day') {
    const start = Math.floor(ms / DAY_MS) * DAY_MS;
    return [start, start + DAY_MS];
  }
  const date = new Date(ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)];
}
