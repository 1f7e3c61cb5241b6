import { signal } from '@angular/core';
import { expect, test } from 'vitest';
import { Selection } from './selection';

function begin(total: number | null = null) {
  const rows = signal(['a', 'b', 'c']);
  const generation = signal(1);
  const list = { rows, total: signal(total), generation };
  const selection = new Selection(list, { idOf: (row) => row, nameOf: (row) => `row ${row}` });
  return { rows, generation, selection };
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

test('All that match are offered once all that are loaded are selected', () => {
  const { selection } = begin(300);
  expect(selection.offered()).toBeNull();
  selection.toggleAll();
  expect([selection.offered(), selection.count()]).toEqual([300, 3]);
  selection.selectEverything();
  expect([selection.offered(), selection.count(), selection.has('z')]).toEqual([null, 300, true]);
  expect(selection.target({ search: 'x', status: '' })).toEqual({
    matching: { search: 'x', count: 300 },
  });
});

test('Nothing more is offered where all are loaded, or too many to be counted', () => {
  for (const total of [3, null]) {
    const { selection } = begin(total);
    selection.toggleAll();
    expect(selection.offered()).toBeNull();
  }
});

test('Another filter ends the selection of all, and names no row that nobody chose', () => {
  const { generation, selection } = begin(300);
  selection.toggleAll();
  selection.selectEverything();
  generation.set(2);
  expect(selection.isEverything()).toBe(false);
  expect(selection.target({ search: 'y' })).toEqual({ ids: ['a', 'b', 'c'] });
});

test('One row less than all is a selection of those that are loaded', () => {
  const { selection } = begin(300);
  selection.toggleAll();
  selection.selectEverything();
  selection.toggle('b');
  expect([selection.isEverything(), selection.target({})]).toEqual([false, { ids: ['a', 'c'] }]);
});
