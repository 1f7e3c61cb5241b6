import { expect, test } from 'vitest';
import { withChosen } from './with-chosen';

const OTHER = 'A deleted or unknown key';
const KEYS = [{ value: '1', label: 'Laptop' }];

test('a key that is gone is named while it narrows the list', () => {
  const labels = (options: typeof KEYS | undefined, chosen: string): string[] =>
    withChosen(options, chosen, OTHER).map(({ label }) => label);
  expect(labels(KEYS, '')).toEqual(['Laptop']);
  expect(labels(KEYS, '1')).toEqual(['Laptop']);
  expect(labels(KEYS, '2')).toEqual(['Laptop', OTHER]);
  expect(labels(undefined, '2')).toEqual(['…']);
});
