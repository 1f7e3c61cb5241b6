import { expect, test } from 'vitest';
import { RowList, type Page } from './row-list';

/** A list whose server has these rows, newest first, in pages of three. */
function served(initial: readonly number[]) {
  let rows = initial;
  let isAway = false;
  const list = new RowList<number>((cursor): Promise<Page<number>> => {
    if (isAway) return Promise.reject(new Error('away'));
    const from = cursor === undefined ? 0 : rows.indexOf(Number(cursor)) + 1;
    const data = rows.slice(from, from + 3);
    const last = data.at(-1);
    const hasMore = from + 3 < rows.length;
    return Promise.resolve({
      data,
      nextCursor: hasMore && last !== undefined ? String(last) : null,
    });
  });
  return {
    list,
    add: (...newer: number[]) => (rows = [...newer, ...rows]),
    goAway: () => (isAway = true),
  };
}

test('New rows are counted, and shown above the others when asked', async () => {
  const { list, add } = served([3, 2, 1, 0]);
  await list.load();
  await list.more();
  add(5, 4);
  await list.peek();
  expect([list.newer(), list.rows()]).toEqual([2, [3, 2, 1, 0]]);
  list.showNewer();
  expect([list.newer(), list.rows(), list.hasMore()]).toEqual([0, [5, 4, 3, 2, 1, 0], false]);
});

test('More new rows than a page has leave no gap: the list begins again', async () => {
  const { list, add } = served([1, 0]);
  await list.load();
  add(6, 5, 4, 3, 2);
  await list.peek();
  list.showNewer();
  expect([list.rows(), list.hasMore()]).toEqual([[6, 5, 4], true]);
  await list.more();
  await list.more();
  expect(list.rows()).toEqual([6, 5, 4, 3, 2, 1, 0]);
});

test('The first rows of an empty list are new as well', async () => {
  const { list, add } = served([]);
  await list.load();
  add(0);
  await list.peek();
  list.showNewer();
  expect(list.rows()).toEqual([0]);
});

test('A look that fails, or is overtaken by a refresh, changes nothing', async () => {
  const { list, add, goAway } = served([1, 0]);
  await list.peek();
  expect(list.waiting()).toBe(true);
  await list.load();
  add(2);
  const look = list.peek();
  await list.load();
  await look;
  expect([list.newer(), list.rows()]).toEqual([0, [2, 1, 0]]);
  goAway();
  await list.peek();
  expect([list.failure(), list.rows()]).toEqual([undefined, [2, 1, 0]]);
});
