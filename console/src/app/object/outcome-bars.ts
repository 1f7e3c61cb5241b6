import type { TrafficView } from '@weir/shared/watch/operations';
import { slotsOf } from '../admin/operations/traffic-bars';
import type { BarData } from '../design/chart/bar-series';

/** Requests of each hour or day, those that were served and those that failed. */
export function outcomeBars(
  view: TrafficView,
  names: { readonly served: string; readonly failed: string },
  showSlot: (slot: string) => string,
): BarData {
  const slots = slotsOf(view);
  const points = new Map(view.points.map((point) => [point.startsAt, point]));
  const values = (count: (requests: number, failed: number) => number) =>
    slots.map((slot) => {
      const { requests = 0, failed = 0, failedAttempts = 0 } = points.get(slot) ?? {};
      // Of a channel: attempts that failed before another channel served.
      const misses = Math.max(failed, failedAttempts);
      return count(requests - failed + misses, misses);
    });
  const served = values((requests, failed) => requests - failed);
  const failed = values((_requests, misses) => misses);
  const series = [
    { name: names.served, values: served },
    { name: names.failed, values: failed },
  ];
  // Both or none: a chart of failures alone would draw them in the colour of what was served.
  const hasRequests = series.some((one) => one.values.some((value) => value > 0));
  return { categories: slots.map(showSlot), series: hasRequests ? series : [] };
}
