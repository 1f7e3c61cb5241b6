import type { TrafficPoint, TrafficView } from '@weir/shared/watch/operations';
import { expect, it } from 'vitest';
import { outcomeBars } from './outcome-bars';

const NOTHING: TrafficPoint = {
  ...{ startsAt: '2026-03-04T12:00:00.000Z', of: null, label: null, requests: 0, failed: 0 },
  ...{ failedAttempts: 0, inputTokens: 0, outputTokens: 0, costUsd: '0' },
  ...{ firstByteMsP50: null, firstByteMsP95: null, streamTokensPerSecond: null },
  durationMsP95: null,
};
const NAMES = { served: 'served', failed: 'failed' };

function viewOf(...points: readonly TrafficPoint[]): TrafficView {
  const span = { from: '2026-03-04T12:00:00.000Z', to: '2026-03-04T14:00:00.000Z' };
  const { startsAt: _time, ...total } = NOTHING;
  return { step: 'hour', ...span, points: [...points], steps: [...points], totals: [], total };
}

it('has a bar for every hour, also those without requests', () => {
  const view = viewOf({ ...NOTHING, requests: 5, failed: 2 });
  expect(outcomeBars(view, NAMES, (slot) => slot.slice(11, 13))).toEqual({
    categories: ['12', '13'],
    series: [
      { name: 'served', values: [3, 0] },
      { name: 'failed', values: [2, 0] },
    ],
  });
});

it('shows attempts that failed at a channel although another one served', () => {
  const view = viewOf({ ...NOTHING, failedAttempts: 4 });
  expect(outcomeBars(view, NAMES, (slot) => slot).series).toEqual([
    { name: 'served', values: [0, 0] },
    { name: 'failed', values: [4, 0] },
  ]);
});
