import type { UsageDayView } from '@weir/shared/usage';
import type { BarData } from '../design/chart/bar-series';

export type Measure = 'cost' | 'requests' | 'tokens';
export const MEASURES: readonly Measure[] = ['cost', 'requests', 'tokens'];

/** Series apart from "others": as many as can be told apart by colour. */
const SERIES_MAX = 5;
const DAY_MS = 86_400_000;

/** Every day of a range in UTC, ends included, oldest first. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += DAY_MS) {
    days.push(new Date(ms).toISOString().slice(0, 10));
  }
  return days;
}

/** The last `count` days up to today, in UTC as the API counts them. */
export function lastDays(
  count: number,
  nowMs: number,
): { readonly from: string; readonly to: string } {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return { from: day(nowMs - (count - 1) * DAY_MS), to: day(nowMs) };
}

/** For drawing only; figures in words come from the exact strings. */
function measureOf(day: UsageDayView, measure: Measure): number {
  switch (measure) {
    case 'cost':
      return Number(day.costUsd);
    case 'requests':
      return day.requests;
    case 'tokens':
      return day.inputTokens + day.outputTokens;
  }
}

interface Part {
  /** False for what has no name of its own. */
  readonly named: boolean;
  readonly name: string;
  readonly byDay: Map<string, number>;
  total: number;
}

function partsOf(
  rows: readonly UsageDayView[],
  measure: Measure,
  names: { readonly others: string; readonly all: string },
): Part[] {
  // Beside named parts, the part without a name is what the server summed up as the rest.
  const unnamed = rows.some(({ of }) => of !== null) ? names.others : names.all;
  const parts = new Map<string, Part>();
  for (const row of rows) {
    const id = row.of ?? '';
    const part = parts.get(id) ?? {
      named: row.of !== null,
      name: row.label ?? row.of ?? unnamed,
      byDay: new Map<string, number>(),
      total: 0,
    };
    const value = measureOf(row, measure);
    part.byDay.set(row.day, (part.byDay.get(row.day) ?? 0) + value);
    part.total += value;
    parts.set(id, part);
  }
  return [...parts.values()].sort((one, other) => other.total - one.total);
}

interface ChartOptions {
  readonly days: readonly string[];
  readonly measure: Measure;
  readonly names: { readonly others: string; readonly all: string };
  readonly showDay: (day: string) => string;
}

/** Usage per day as stacked bars: the largest parts by name, the rest together. */
export function usageBars(rows: readonly UsageDayView[], options: ChartOptions): BarData {
  const { days, measure, names, showDay } = options;
  const parts = partsOf(rows, measure, names);
  const split = parts.some((part) => part.named);
  const candidates = split ? parts.filter((part) => part.named) : parts;
  const named = candidates.length > SERIES_MAX + 1 ? candidates.slice(0, SERIES_MAX) : candidates;
  const rest = parts.filter((part) => !named.includes(part));
  const series = named.map(({ name, byDay }) => ({
    name,
    values: days.map((day) => byDay.get(day) ?? 0),
  }));
  if (rest.length > 0) {
    series.push({
      name: names.others,
      values: days.map((day) => rest.reduce((sum, { byDay }) => sum + (byDay.get(day) ?? 0), 0)),
    });
  }
  return { categories: days.map(showDay), series };
}
