import type { TrafficPoint, TrafficView } from '@weir/shared/watch/operations';
import type { BarData } from '../../design/chart/bar-series';

const HOUR_MS = 3_600_000;
const STEP_MS = { hour: HOUR_MS, day: 24 * HOUR_MS } as const;
const MS_PER_SECOND = 1_000;
/** Series apart from the rest: as many as colours can distinguish. */
const SERIES_MAX = 5;

/** Every hour or day of a view, also those without requests, oldest first. */
export function slotsOf({ from, to, step }: Pick<TrafficView, 'from' | 'to' | 'step'>): string[] {
  const slots: string[] = [];
  for (let ms = Date.parse(from); ms < Date.parse(to); ms += STEP_MS[step]) {
    slots.push(new Date(ms).toISOString());
  }
  return slots;
}

/** Seconds that one bar represents. */
export function secondsOf(step: TrafficView['step']): number {
  return STEP_MS[step] / MS_PER_SECOND;
}

interface Part {
  readonly of: string | null;
  readonly name: string;
  readonly values: number[];
  total: number;
}

export interface BarOptions {
  readonly value: (point: TrafficPoint) => number;
  readonly names: { readonly others: string; readonly all: string };
  readonly showSlot: (slot: string) => string;
  /** Leaves out what has no name: with codes, the requests that were served. */
  readonly namedOnly?: boolean;
}

/** A chart, and what each of its bars is about. */
export interface DrawnTraffic extends BarData {
  /** The model, code, or id of each series; null for the rest. */
  readonly parts: readonly (string | null)[];
  /** The begin of each category. */
  readonly slots: readonly string[];
  readonly stepMs: number;
}

/** Traffic as stacked bars: the parts with the most by name, the rest together. */
export function trafficBars(
  view: TrafficView,
  { value, names, showSlot, namedOnly = false }: BarOptions,
): DrawnTraffic {
  const slots = slotsOf(view);
  const place = new Map(slots.map((slot, index) => [slot, index]));
  const parts = new Map<string | null, Part>();
  for (const point of view.points) {
    if (namedOnly && point.of === null) continue;
    const part = parts.get(point.of) ?? {
      of: point.of,
      name: point.label ?? point.of ?? names.others,
      values: slots.map(() => 0),
      total: 0,
    };
    const index = place.get(point.startsAt);
    if (index !== undefined) part.values[index] = (part.values[index] ?? 0) + value(point);
    part.total += value(point);
    parts.set(point.of, part);
  }
  const named = [...parts].filter(([of]) => of !== null).map(([, part]) => part);
  const largest = named
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => b.total - a.total)
    .slice(0, SERIES_MAX);
  const rest = [...parts.values()].filter((part) => !largest.includes(part) && part.total > 0);
  const series = largest.map(({ name, values }) => ({ name, values }));
  if (rest.length > 0) {
    const sums = slots.map((_slot, index) =>
      rest.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
    );
    series.push({ name: largest.length === 0 ? names.all : names.others, values: sums });
  }
  return {
    categories: slots.map(showSlot),
    series,
    parts: [...largest.map(({ of }) => of), ...(rest.length > 0 ? [null] : [])],
    slots,
    stepMs: STEP_MS[view.step],
  };
}

/** Half of the times to the first token, and what the slowest of twenty take longer than that. */
export function firstByteBars(
  view: TrafficView,
  names: { readonly p50: string; readonly p95: string },
  showSlot: (slot: string) => string,
): BarData {
  const points = new Map(view.steps.map((point) => [point.startsAt, point]));
  const slots = slotsOf(view);
  if (view.steps.every(({ firstByteMsP95 }) => firstByteMsP95 === null)) {
    return { categories: slots.map(showSlot), series: [] };
  }
  const of = (slot: string) => {
    const { firstByteMsP50: p50, firstByteMsP95: p95 } = points.get(slot) ?? {};
    return { p50: p50 ?? 0, p95: p95 ?? 0 };
  };
  return {
    categories: slots.map(showSlot),
    series: [
      { name: names.p50, values: slots.map((slot) => of(slot).p50) },
      { name: names.p95, values: slots.map((slot) => Math.max(0, of(slot).p95 - of(slot).p50)) },
    ],
  };
}
