import { signal } from '@angular/core';
import { expect, test } from 'vitest';
import { Selection } from './selection';

function begin() {
  const rows = signal(['a', 'b', 'c']);
  return { rows, selection: new Selection(rows, (row) => row) };
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

test('What failed and what comes after it stays selected, to be done again', async () => {
  const { selection } = begin();
  selection.toggleAll();
  const done: string[] = [];
  const work = (row: string): Promise<void> => {
    if (row === 'b' && !done.includes('failed')) {
      done.push('failed');
      return Promise.reject(new Error('refused'));
    }
    done.push(row);
    return Promise.resolve();
  };
  await expect(selection.forEach(work)).rejects.toThrow('refused');
  expect(selection.rows()).toEqual(['b', 'c']);
  await selection.forEach(work);
  expect([done, selection.rows()]).toEqual([['a', 'failed', 'b', 'c'], []]);
});
