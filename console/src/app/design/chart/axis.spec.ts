import { signal } from '@angular/core';
import { expect, test } from 'vitest';
import { Formatter } from '../../core/format/formatter';
import type { Language } from '../../core/i18n/i18n';
import { axisOf, largestStack } from './axis';

const formatter = new Formatter(signal<Language>('en'));

function labels(largest: number, whole: boolean): string[] {
  const { max, step, decimals } = axisOf(largest, whole);
  const count = Math.round(max / step) + 1;
  return Array.from({ length: count }, (_value, index) =>
    whole ? formatter.compact(index * step) : formatter.axisUsd(index * step, decimals),
  );
}

test.each([
  [0.0031, false, ['$0.000', '$0.001', '$0.002', '$0.003', '$0.004']],
  [0.017, false, ['$0.000', '$0.005', '$0.010', '$0.015', '$0.020']],
  [0.04, false, ['$0.00', '$0.01', '$0.02', '$0.03', '$0.04']],
  [3.4, false, ['$0.00', '$1.00', '$2.00', '$3.00', '$4.00']],
  [1, true, ['0', '1']],
  [3, true, ['0', '1', '2', '3']],
  [1_750_000, true, ['0', '500K', '1M', '1.5M', '2M']],
  [0, true, ['0', '1']],
])('Up to %d (whole: %s) each step has a label of its own', (largest, whole, expected) => {
  expect(labels(largest, whole)).toEqual(expected);
});

test('No two labels are the same, whatever the amounts', () => {
  for (let power = -9; power < 7; power += 1) {
    for (let digits = 10; digits < 100; digits += 7) {
      const shown = labels((digits / 10) * 10 ** power, false);
      expect(new Set(shown).size, shown.join()).toBe(shown.length);
    }
  }
});

test('The largest bar is the sum of what is stacked in it', () => {
  expect(largestStack([{ values: [1, 2] }, { values: [3, 1] }])).toBe(4);
  expect(largestStack([])).toBe(0);
});
