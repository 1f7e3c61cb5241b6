import { expect, test } from 'vitest';
import { barShape, seriesAt, stepsOf } from './bar-chart-shape';

const SIZE = { width: 300, height: 100 };
const DATA = {
  categories: ['a', 'b', 'c'],
  series: [
    { name: 'one', values: [1, 0, 4] },
    { name: 'two', values: [3, 0, 0] },
  ],
};

/** The upper left corner and the size of each bar of a path. */
function barsOf(path: string) {
  return [...path.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)q2 0 2 2v([\d.]+)/g)].map((numbers) => {
    const [x = 0, y = 0, across = 0, down = 0] = numbers.slice(1).map(Number);
    return { x: x - 2, y, width: across + 4, height: down + 4 };
  });
}

test('Bars are stacked: each begins where the one below it ends', () => {
  const { paths } = barShape(DATA, SIZE, 4);
  expect(paths.map(barsOf)).toEqual([
    [
      { x: 36, y: 75, width: 28, height: 25 },
      { x: 236, y: 0, width: 28, height: 100 },
    ],
    [{ x: 36, y: 0, width: 28, height: 75 }],
  ]);
});

test('Labels that do not fit next to each other are left out at equal distances', () => {
  const categories = Array.from({ length: 30 }, (_, index) => `Mar ${String(index + 1)}`);
  const { labels } = barShape({ categories, series: [] }, SIZE, 1);
  expect(labels.map(({ name }) => name)).toEqual(
    [1, 6, 11, 16, 21, 26].map((day) => `Mar ${String(day)}`),
  );
  const chinese = categories.map((name) => name.replace('Mar ', '三月第'));
  expect(barShape({ categories: chinese, series: [] }, SIZE, 1).labels).toHaveLength(5);
});

test('The place in a bar says whose part it is', () => {
  const at = (category: number, value: number) => seriesAt(DATA, category, value);
  expect([at(0, 0.5), at(0, 1.5), at(0, 4.1), at(1, 0), at(2, 3.9)]).toEqual([0, 1, null, null, 0]);
});

test('Steps reach from the foot of the axis to its end', () => {
  expect(stepsOf({ max: 4, step: 2, decimals: 0 })).toEqual([
    { value: 0, top: 1 },
    { value: 2, top: 0.5 },
    { value: 4, top: 0 },
  ]);
});
