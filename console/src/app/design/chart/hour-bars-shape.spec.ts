import { expect, it } from 'vitest';
import { hourBarsOf } from './hour-bars-shape';

it('draws the busiest hour in full, its failures on top', () => {
  expect(hourBarsOf([10, 5, 0], [5, 0, 0])).toEqual([
    { served: 10, failed: 10 },
    { served: 10, failed: 0 },
    { served: 0, failed: 0 },
  ]);
});

it('shows one request among thousands', () => {
  const [few] = hourBarsOf([1, 10_000], [1, 0]);
  expect(few).toEqual({ served: 0, failed: 1.5 });
});
