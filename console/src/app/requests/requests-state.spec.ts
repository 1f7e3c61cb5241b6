import { expect, test } from 'vitest';
import { RequestsState } from './requests-state';

function stateOf(daysAddress?: (query: object) => string): RequestsState<'model' | 'team'> {
  return new RequestsState<'model' | 'team'>({
    list: () => Promise.resolve({ data: [], nextCursor: null }),
    days: () => Promise.resolve({ data: [] }),
    exportAddress: () => '/bills',
    ...(daysAddress && { daysAddress }),
    today: () => '2026-11-29',
  });
}

test('the file of a chart has the days and the parts that the chart shows', () => {
  const state = stateOf((query) => JSON.stringify(query));
  state.filters.read((name) => ({ range: 'week', model: 'gpt-5' })[name] ?? null);
  state.by.set('team');
  const days = { from: '2026-11-23', to: '2026-11-29', per: 'day', by: 'team', model: 'gpt-5' };
  expect(JSON.parse(state.daysAddress() ?? '')).toMatchObject(days);
});

test('there is no file where bills show no chart, nor where the page offers none', () => {
  const state = stateOf(() => '/days');
  state.filters.read((name) => ({ range: 'week', code: 'rate_limited' })[name] ?? null);
  expect(state.daysAddress()).toBeUndefined();
  expect(stateOf().daysAddress()).toBeUndefined();
});
