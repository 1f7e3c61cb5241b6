import type { UsageDayView } from '@weir/shared/watch/usage';
import { add, decimal, writeDecimal, ZERO } from '../core/format/decimal';
import type { BarData } from '../design/chart/bar-series';

export type Measure = 'cost' | 'requests' | 'tokens';
export const MEASURES: readonly Measure[] = ['cost', 'requests', 'tokens'];

/** Series apart from "others": as many as colours can distinguish. */
const SERIES_MAX = 5;
const DAY_MS = 86_400_000;

/** A day of the API, or an hour of it: `2026-01-31T07`. */
export function slotOf({ day, hour }: Pick<UsageDayView, 'day' | 'hour'>): string {
  return hour === null ? day : `${day}T${String(hour).padStart(2, '0')}`;
}

/** Every hour of a range of days in UTC, oldest first. */
export function hoursBetween(from: string, to: string): string[] {
  return daysBetween(from, to).flatMap((day) =>
    Array.from({ length: 24 }, (_value, hour) => slotOf({ day, hour })),
  );
}

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
  readonly bySlot: Map<string, number>;
  total: number;
}

function partsOf(
  rows: readonly UsageDayView[],
  measure: Measure,
  names: { readonly others: string; readonly all: string },
): Part[] {
  // Next to named parts, the part without a name is what the server summed up as the rest.
  const unnamed = rows.some(({ of }) => of !== null) ? names.others : names.all;
  const parts = new Map<string, Part>();
  for (const row of rows) {
    const id = row.of ?? '';
    const part = parts.get(id) ?? {
      named: row.of !== null,
      name: row.label ?? row.of ?? unnamed,
      bySlot: new Map<string, number>(),
      total: 0,
    };
    const value = measureOf(row, measure);
    const slot = slotOf(row);
    part.bySlot.set(slot, (part.bySlot.get(slot) ?? 0) + value);
    part.total += value;
    parts.set(id, part);
  }
  return [...parts.values()].sort((one, other) => other.total - one.total);
}

interface ChartOptions {
  /** Days, or hours. */
  readonly slots: readonly string[];
  readonly measure: Measure;
  readonly names: { readonly others: string; readonly all: string };
  readonly showSlot: (slot: string) => string;
}

/** Usage per day as stacked bars: the largest parts by name, the rest together. */
export function usageBars(rows: readonly UsageDayView[], options: ChartOptions): BarData {
  const { slots, measure, names, showSlot } = options;
  const parts = partsOf(rows, measure, names);
  const split = parts.some((part) => part.named);
  const candidates = split ? parts.filter((part) => part.named) : parts;
  const named = candidates.length > SERIES_MAX + 1 ? candidates.slice(0, SERIES_MAX) : candidates;
  const rest = parts.filter((part) => !named.includes(part));
  const series = named.map(({ name, bySlot }) => ({
    name,
    values: slots.map((slot) => bySlot.get(slot) ?? 0),
  }));
  if (rest.length > 0) {
    series.push({
      name: names.others,
      values: slots.map((slot) =>
        rest.reduce((sum, { bySlot }) => sum + (bySlot.get(slot) ?? 0), 0),
      ),
    });
  }
  return { categories: slots.map(showSlot), series };
}

export interface UsageTotals {
  readonly costUsd: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** All of a range; the cost is exact. */
export function totalsOf(rows: readonly UsageDayView[]): UsageTotals {
  const sum = (of: (row: UsageDayView) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  return {
    costUsd: writeDecimal(rows.reduce((total, row) => add(total, decimal(row.costUsd)), ZERO)),
    requests: sum(({ requests }) => requests),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
  };
}
