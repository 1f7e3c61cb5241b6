import { expect, it } from 'vitest';
import { sparklineShape } from './sparkline-shape';

it('draws the largest figure at the top and zero at the bottom', () => {
  expect(sparklineShape([0, 10]).line).toBe('M0.0 30.0L120.0 2.0');
});

it('breaks where nothing was measured, and shows a lone figure as a dot', () => {
  const { line, area } = sparklineShape([1, null, 2, 2]);
  expect(line.match(/M/g)).toHaveLength(2);
  expect(line.startsWith('M0.0 16.0L0.0 16.0')).toBe(true);
  expect(area.match(/Z/g)).toHaveLength(1);
});

it('shows losses below zero', () => {
  expect(sparklineShape([-10, 10]).line).toBe('M0.0 30.0L120.0 2.0');
});

it('draws nothing of nothing', () => {
  expect(sparklineShape([null, null]).line).toBe('');
});
