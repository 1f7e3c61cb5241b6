import { expect, test } from 'vitest';
import { viewParameters, viewQuery } from './view-query';

test('the same filters are the same view, in whatever order they were chosen', () => {
  const one = viewQuery(new URLSearchParams('outcome=failed&model=gpt-6&key='));
  expect(one).toBe('model=gpt-6&outcome=failed');
  expect(viewQuery(new URLSearchParams('model=gpt-6&outcome=failed&open=new'))).toBe(one);
});

test('a view leads to its filters, whatever letters they have', () => {
  const query = viewQuery(new URLSearchParams({ search: '李 & co=1', sort: '-cost' }));
  expect(query).toMatch(/^[\x20-\x7e]+$/);
  expect(viewParameters(query)).toEqual({ search: '李 & co=1', sort: '-cost' });
});
