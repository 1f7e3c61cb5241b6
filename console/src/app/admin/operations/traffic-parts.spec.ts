import type { TrafficTotal } from '@weir/shared/watch/operations';
import { expect, it } from 'vitest';
import { sortParts, trafficParts } from './traffic-parts';

const SUMS = {
  ...{ requests: 0, failed: 0, failedAttempts: 0, inputTokens: 0, outputTokens: 0, costUsd: '0' },
  ...{ firstByteMsP50: null, firstByteMsP95: null, durationMsP95: null },
  streamTokensPerSecond: null,
};
const part = (of: string | null, change: Partial<TrafficTotal> = {}): TrafficTotal => ({
  ...SUMS,
  of,
  label: of,
  ...change,
});
const total = part(null, { requests: 1_000, firstByteMsP95: 900, costUsd: '8' });
const names = (parts: readonly TrafficTotal[]) => parts.map(({ of }) => of);

it('says which channels fail, are slow, are fine or have nothing to do', () => {
  const totals = [
    part('fine', { requests: 500, firstByteMsP95: 800 }),
    part('dead', { failedAttempts: 3 }),
    part('flaky', { requests: 90, failedAttempts: 10 }),
    part('slow', { requests: 10, firstByteMsP95: 2_000 }),
    part('quick, though twice the rest', { requests: 10, firstByteMsP95: 950 }),
  ];
  const known = [
    { id: 'dead', name: 'dead' },
    { id: 'new', name: 'never used' },
  ];
  const parts = trafficParts(totals, { by: 'channel', total, known });
  expect(Object.fromEntries(parts.map(({ of, state }) => [of, state]))).toEqual({
    fine: 'fine',
    dead: 'failing',
    flaky: 'failing',
    slow: 'slow',
    'quick, though twice the rest': 'fine',
    new: 'idle',
  });
  expect(parts.find(({ of }) => of === 'new')?.label).toBe('never used');
});

it('counts the failed requests of what is no channel', () => {
  const parts = trafficParts([part('m', { requests: 10, failed: 2, failedAttempts: 9 })], {
    by: 'model',
    total,
  });
  expect(parts[0]).toMatchObject({ errorShare: 0.2, state: 'failing' });
});

it('sorts by errors, times, spend and name, finds by name, and has the rest last', () => {
  const parts = trafficParts(
    [
      part('a', { requests: 9, failed: 1, firstByteMsP95: 50, durationMsP95: 900, costUsd: '1' }),
      part('b', { requests: 1, failed: 1, firstByteMsP95: 90, durationMsP95: 100, costUsd: '2' }),
      part('c', { requests: 5, costUsd: '0' }),
      part(null, { requests: 99, failed: 99, costUsd: '5' }),
    ],
    { by: 'model', total },
  );
  const order = (by: string, search = '') => names(sortParts(parts, { order: by, search }));
  expect(order('-errors')).toEqual(['b', 'a', 'c', null]);
  expect(order('-firstToken')).toEqual(['b', 'a', 'c', null]);
  expect(order('-duration')).toEqual(['a', 'b', 'c', null]);
  expect(order('spend')).toEqual(['c', 'a', 'b', null]);
  expect(order('-name')).toEqual(['c', 'b', 'a', null]);
  expect(order('-requests', 'B')).toEqual(['b']);
  expect(parts[1]?.spendShare).toBe(0.25);
});
