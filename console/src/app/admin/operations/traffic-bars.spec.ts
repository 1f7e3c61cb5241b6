import type { TrafficPoint, TrafficView } from '@weir/shared/watch/operations';
import { expect, it } from 'vitest';
import { firstByteBars, secondsOf, slotsOf, trafficBars } from './traffic-bars';

const SUMS = {
  requests: 0,
  failed: 0,
  failedAttempts: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: '0',
  firstByteMsP50: null,
  firstByteMsP95: null,
  durationMsP95: null,
  streamTokensPerSecond: null,
};

function point(hour: number, of: string | null, change: Partial<TrafficPoint>): TrafficPoint {
  const startsAt = `2026-03-04T${String(hour).padStart(2, '0')}:00:00.000Z`;
  return { ...SUMS, startsAt, of, label: of, ...change };
}

function view(points: TrafficPoint[]): TrafficView {
  return {
    step: 'hour',
    from: '2026-03-04T10:00:00.000Z',
    to: '2026-03-04T13:00:00.000Z',
    points,
    steps: points.filter(({ of }) => of === null),
    totals: [],
    total: { ...SUMS, of: null, label: null },
  };
}

const names = { others: 'others', all: 'all' };
const showSlot = (slot: string): string => slot.slice(11, 13);
const value = ({ requests }: TrafficPoint): number => requests;

it('shows hours without requests, and what each part has', () => {
  const points = [
    point(10, 'a', { requests: 2 }),
    point(12, 'a', { requests: 1 }),
    point(12, 'b', { requests: 5 }),
    point(12, null, { requests: 3 }),
  ];
  expect(trafficBars(view(points), { value, names, showSlot })).toEqual({
    parts: ['b', 'a', null],
    slots: ['10', '11', '12'].map((hour) => `2026-03-04T${hour}:00:00.000Z`),
    stepMs: 3_600_000,
    categories: ['10', '11', '12'],
    series: [
      { name: 'b', values: [0, 0, 5] },
      { name: 'a', values: [2, 0, 1] },
      { name: 'others', values: [0, 0, 3] },
    ],
  });
  expect(
    trafficBars(view(points), { value, names, showSlot, namedOnly: true }).series,
  ).toHaveLength(2);
});

it('calls the whole by its name where nothing is split', () => {
  const { series } = trafficBars(view([point(10, null, { requests: 4 })]), {
    value,
    names,
    showSlot,
  });
  expect(series).toEqual([{ name: 'all', values: [4, 0, 0] }]);
});

it('puts what is beyond the colours together', () => {
  const points = Array.from({ length: 9 }, (_part, index) =>
    point(10, `part ${String(index)}`, { requests: 10 - index }),
  );
  const { series } = trafficBars(view(points), { value, names, showSlot });
  expect(series).toHaveLength(6);
  expect(series.at(-1)).toEqual({ name: 'others', values: [5 + 4 + 3 + 2, 0, 0] });
});

it('stacks the quantiles so that the top is the higher one', () => {
  const points = [point(11, null, { firstByteMsP50: 100, firstByteMsP95: 450 })];
  const bars = firstByteBars(view(points), { p50: 'p50', p95: 'p95' }, showSlot);
  expect(bars.series).toEqual([
    { name: 'p50', values: [0, 100, 0] },
    { name: 'p95', values: [0, 350, 0] },
  ]);
});

it('shows no axis where nothing was streamed or answered', () => {
  const bars = firstByteBars(view([point(11, null, {})]), { p50: 'p50', p95: 'p95' }, showSlot);
  expect(bars.series).toEqual([]);
});

it('knows what a bar stands for', () => {
  expect(
    slotsOf({ from: '2026-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z', step: 'day' }),
  ).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']);
  expect([secondsOf('hour'), secondsOf('day')]).toEqual([3_600, 86_400]);
});
