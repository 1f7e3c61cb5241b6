import { expect, test } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import { account, subscription } from '../../../testing/views';
import { AccountState } from './account-state';

test('Plans that have ended or were stopped stand apart from those that run', async () => {
  const plans = (['active', 'ended', 'cancelled'] as const).map((status) => ({
    ...subscription,
    id: status,
    status,
  }));
  const api = new FakeApi({
    getAccountOverview: () => ({
      account,
      users: [],
      keys: [],
      subscriptions: plans,
      recentCredits: [],
      spendTodayUsd: '0',
      spendThisMonthUsd: '0',
      requestsThisMonth: 0,
    }),
  });
  const state = new AccountState(api, () => account.id);
  expect([state.running(), state.past()]).toEqual([[], []]);
  await state.overview.load();
  expect(state.running().map(({ id }) => id)).toEqual(['active']);
  expect(state.past().map(({ id }) => id)).toEqual(['ended', 'cancelled']);
});
