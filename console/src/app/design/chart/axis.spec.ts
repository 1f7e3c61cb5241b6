import { describe, expect, test } from 'vitest';
import { axisFor } from './axis';

describe('The upright axis of a chart', () => {
  test.each([
    { values: [0.3], ticks: [0, 0.1, 0.2, 0.3] },
    { values: [1, 4, 7], ticks: [0, 2, 4, 6, 8] },
    { values: [17.3], ticks: [0, 5, 10, 15, 20] },
    { values: [100], ticks: [0, 50, 100] },
    { values: [1_234_567], ticks: [0, 500_000, 1_000_000, 1_500_000] },
    { values: [0.000_000_37], ticks: [0, 1e-7, 2e-7, 3e-7, 4e-7] },
  ])('of $values counts in round steps', ({ values, ticks }) => {
    expect(axisFor(values)).toEqual({ max: ticks.at(-1), ticks });
  });

  test('does not divide what is counted: half a request is none', () => {
    expect(axisFor([1]).ticks).toEqual([0, 1]);
    expect(axisFor([0, 2, 3]).ticks).toEqual([0, 1, 2, 3]);
  });

  test('is the ground alone where there is nothing to show', () => {
    expect(axisFor([])).toEqual({ max: 1, ticks: [0] });
    expect(axisFor([0, 0])).toEqual({ max: 1, ticks: [0] });
  });

  test('reaches every value, with two to five ticks', () => {
    for (let value = 1e-9; value < 1e12; value *= 1.37) {
      const { max, ticks } = axisFor([value, value / 3]);
      expect(max).toBeGreaterThanOrEqual(value * (1 - 1e-9));
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(5);
    }
  });
});
