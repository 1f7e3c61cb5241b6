import { expect, it } from 'vitest';
import { FirstRows } from './first-rows';

it('cuts a long list until all of it is asked for, and rows that come later are shown', () => {
  const first = new FirstRows();
  const rows = Array.from({ length: 21 }, (_, index) => index);
  expect(first.cuts(rows.slice(1))).toBe(false);
  expect(first.cuts(rows)).toBe(true);
  expect(first.of(rows)).toEqual(rows.slice(0, 20));
  first.showAll();
  const more = [...rows, 21];
  expect(first.cuts(more)).toBe(false);
  expect(first.of(more)).toEqual(more);
});
