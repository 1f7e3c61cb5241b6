import type { AccountingView } from '@weir/shared/money/accounting';
import { expect, test } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import { AccountingState, monthBefore } from './accounting-state';

test.each([
  ['2026-11', '2026-10'],
  ['2026-01', '2025-12'],
])('The month before %s is %s', (month, before) => {
  expect(monthBefore(month)).toBe(before);
});

test('The months to choose from go by the time zone of accounting, not by that of the browser', async () => {
  const state = new AccountingState(
    new FakeApi({
      getAccounting: ({ query }) => ({ month: query.month ?? '2026-12' }) as AccountingView,
    }),
  );
  expect(state.choices()).toEqual([]);
  await state.view.load();
  expect(state.choices()).toEqual(['', '2026-11']);
  state.month.set('2026-03');
  await state.view.load();
  expect(state.choices()).toEqual(['', '2026-11', '2026-03']);
  expect(state.present()).toBe('2026-12');
  const query = JSON.stringify({ query: { month: '2026-03' } });
  expect(state.exportAddress()).toBe(`/api/v1/exportAccounting?${query}`);
});
