import { expect, test } from 'vitest';
import type { Column } from './column';
import { nextOrder, orderFrom, sortState } from './sort-order';

const column = (sort?: string): Column => ({
  id: 'a',
  header: '',
  width: '1fr',
  ...(sort === undefined ? {} : { sort }),
});

test('A head asks for its own order first, then for the opposite', () => {
  expect(nextOrder('name', '-created')).toBe('name');
  expect(nextOrder('name', 'name')).toBe('-name');
  expect(nextOrder('name', '-name')).toBe('name');
  expect(nextOrder('-balance', 'name')).toBe('-balance');
  expect(nextOrder('-balance', '-balance')).toBe('balance');
});

test('A column says how the list is sorted by it', () => {
  expect(sortState(column('name'), 'name')).toBe('ascending');
  expect(sortState(column('name'), '-name')).toBe('descending');
  expect(sortState(column('-balance'), '-balance')).toBe('descending');
  expect(sortState(column('-balance'), 'balance')).toBe('ascending');
  expect(sortState(column('name'), 'names')).toBe('none');
  expect(sortState(column(), 'name')).toBe('none');
});

test('An address can ask for no order that there is not', () => {
  const orders = ['name', '-name'] as const;
  expect(orderFrom('-name', orders, 'name')).toBe('-name');
  expect(orderFrom('-balance', orders, 'name')).toBe('name');
  expect(orderFrom(undefined, orders, '-name')).toBe('-name');
});
