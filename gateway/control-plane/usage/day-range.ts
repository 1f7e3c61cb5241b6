import {
  USAGE_DAYS_MAX,
  USAGE_HOUR_DAYS_MAX,
  type UsageDayAdminQuery,
} from '@weir/shared/watch/usage';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { DayRange } from './chart-statement.ts';

const DAYS_DEFAULT = 30;
const DAY_MS = 86_400_000;

/** Returns the day of UTC of a time. */
export function dayText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Returns the days that are asked for; by default the last 30. */
export function readRange(query: UsageDayAdminQuery): DayRange | Refusal {
  const to = query.to ?? dayText(databaseNowMs());
  const from = query.from ?? dayText(Date.parse(to) - (DAYS_DEFAULT - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) {
    return refuse('invalid_value', `The first day must not be after the last, ${to}.`, {
      param: 'from',
    });
  }
  const daysMax = query.per === 'hour' ? USAGE_HOUR_DAYS_MAX : USAGE_DAYS_MAX;
  if (days <= daysMax) return { from, to };
  return refuse(
    'invalid_value',
    `These are ${String(days)} days. Choose at most ${String(daysMax)} days.`,
    { param: 'from' },
  );
}

/** Returns the days of a range, each as a range of its own, oldest first. */
export function eachDay({ from, to }: DayRange): DayRange[] {
  const days: DayRange[] = [];
  for (let atMs = Date.parse(from); atMs <= Date.parse(to); atMs += DAY_MS) {
    days.push({ from: dayText(atMs), to: dayText(atMs) });
  }
  return days;
}
