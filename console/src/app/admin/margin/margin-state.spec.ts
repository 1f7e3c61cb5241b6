import { expect, test } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import { MarginState } from './margin-state';

test('The page and the file ask for the same part of the usage', () => {
  const state = new MarginState(new FakeApi(), () => '2026-03-04');
  expect(state.query()).toEqual({ from: '2026-02-03', to: '2026-03-04', by: 'model' });
  state.filters.range.set('custom');
  state.filters.from.set('2026-01-01');
  state.filters.to.set('2026-01-31');
  state.filters.model.set('a-model');
  state.channelId.set('01a1fdf9-6fff-74cb-aaaf-80a4c21c7a79');
  state.by.set('day');
  const query = {
    from: '2026-01-01',
    to: '2026-01-31',
    by: 'day',
    model: 'a-model',
    channelId: '01a1fdf9-6fff-74cb-aaaf-80a4c21c7a79',
  };
  expect(state.query()).toEqual(query);
  expect(state.exportAddress()).toBe(`/api/v1/exportMargins?${JSON.stringify({ query })}`);
});
