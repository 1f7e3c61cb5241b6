import type { SubscriptionView } from '@weir/shared/money/subscriptions';
import { describe, expect, test } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import { GROUP_ID, NOW, plan as somePlan } from '../../../testing/views';
import { PlansState } from './plans-state';

const groups = [
  { id: GROUP_ID, name: 'One' },
  { id: 'other', name: 'Other' },
];

const plan = { ...somePlan, groups };

const subscription: SubscriptionView = {
  id: 'subscription',
  accountId: 'account',
  accountName: 'Account',
  planId: plan.id,
  planName: plan.name,
  status: 'active',
  startedAt: NOW,
  endsAt: NOW,
  renews: false,
  groups: groups.toReversed(),
  windows: plan.allowances.map(({ window, limitUsd }) => ({
    window,
    limitUsd,
    usedUsd: '1',
    remainingUsd: '1',
    startsAt: NOW,
    resetsAt: NOW,
  })),
  createdAt: NOW,
  updatedAt: NOW,
};

describe('Buying a plan', () => {
  async function keptOf(change: Partial<SubscriptionView>) {
    const api = new FakeApi({
      listOwnSubscriptions: () => ({ data: [{ ...subscription, ...change }], nextCursor: null }),
    });
    const state = new PlansState(api);
    await state.subscriptions.load();
    return state.keptTerms(plan)?.id;
  }

  test('that is running on the terms for sale says nothing of terms', async () => {
    expect(await keptOf({})).toBeUndefined();
  });

  test('that runs on other terms says which are kept', async () => {
    expect(await keptOf({ windows: subscription.windows.slice(1) })).toBe(subscription.id);
    expect(await keptOf({ groups: groups.slice(1) })).toBe(subscription.id);
  });

  test('that is over, or another, says nothing of terms', async () => {
    expect(await keptOf({ windows: [], status: 'ended' })).toBeUndefined();
    expect(await keptOf({ windows: [], planId: 'another' })).toBeUndefined();
  });
});
