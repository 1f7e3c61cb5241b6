import { expect, test } from 'vitest';
import { bandsOf, heightsOf } from './bars';

const data = {
  categories: ['Mon', 'Tue', 'Wed'],
  series: [
    { name: 'river-1', values: [1, 0, 3] },
    { name: 'river-2', values: [2, 0] },
  ],
};

function days(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index));
}

test('A bar stacks what is more than nothing; a missing value is nothing', () => {
  expect(bandsOf(data).map(({ parts }) => parts.map(({ index, value }) => [index, value]))).toEqual(
    [
      [
        [0, 1],
        [1, 2],
      ],
      [],
      [[0, 3]],
    ],
  );
  expect(heightsOf(data)).toEqual([3, 0, 3]);
});

test.each([1, 7, 8, 30, 90, 365])(
  'Of %s days the last is named, and no more than eight',
  (count) => {
    const bands = bandsOf({ categories: days(count), series: [] });
    const named = bands.filter((band) => band.named !== false);
    expect(bands.at(-1)?.named).toBe('first');
    expect(named.length).toBeLessThanOrEqual(8);
    expect(named.length).toBeGreaterThanOrEqual(Math.min(count, 5));
    const narrow = named.filter((band) => band.named === 'first');
    expect(narrow.length).toBe(Math.ceil(named.length / 2));
  },
);
