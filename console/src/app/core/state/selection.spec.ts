import { signal } from '@angular/core';
import { expect, test } from 'vitest';
import { Selection } from './selection';

function begin() {
  const rows = signal(['a', 'b', 'c']);
  return {
    rows,
    selection: new Selection(rows, { idOf: (row) => row, nameOf: (row) => `row ${row}` }),
  };
}

test('One row, all rows and none can be selected', () => {
  const { selection } = begin();
  expect(selection.hasAll()).toBe(false);
  selection.toggle('b');
  expect(selection.rows()).toEqual(['b']);
  selection.toggleAll();
  expect([selection.rows(), selection.hasAll()]).toEqual([['a', 'b', 'c'], true]);
  selection.toggleAll();
  expect(selection.rows()).toEqual([]);
});

test('A row that has left the list is not selected', () => {
  const { rows, selection } = begin();
  selection.toggleAll();
  rows.set(['a', 'd']);
  expect([selection.rows(), selection.hasAll()]).toEqual([['a'], false]);
});

test('What failed stays selected, is told by row, and keeps no other row from being done', async () => {
  const { selection } = begin();
  selection.toggleAll();
  const done: string[] = [];
  let isRefused = true;
  const work = (row: string): Promise<void> => {
    if (row === 'b' && isRefused) return Promise.reject(new Error('refused'));
    done.push(row);
    return Promise.resolve();
  };
  expect(await selection.forEach(work)).toBe(false);
  expect([done, selection.rows()]).toEqual([['a', 'c'], ['b']]);
  expect(selection.failures()).toMatchObject([{ name: 'row b', failure: { code: 'unknown' } }]);
  isRefused = false;
  expect(await selection.forEach(work)).toBe(true);
  expect([done, selection.rows(), selection.failures()]).toEqual([['a', 'c', 'b'], [], []]);
});

test('A dialog that is opened again shows nothing of what failed in the last one', async () => {
  const { selection } = begin();
  selection.toggle('a');
  await selection.forEach(() => Promise.reject(new Error('refused')));
  selection.forgetFailures();
  expect([selection.failures(), selection.rows()]).toEqual([[], ['a']]);
});
