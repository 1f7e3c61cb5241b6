import { describe, expect, test } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import { AdminUsageState } from './usage-state';

describe('The usage of all accounts', () => {
  test.each([
    ['groupId', true],
    ['channelId', true],
    ['accountId', false],
  ] as const)('chosen by %s: the chart shows more than the list is %s', (filter, more) => {
    const state = new AdminUsageState(new FakeApi(), () => '2026-11-21');
    expect(state.beyondChart()).toBe(false);
    state[filter].set('one');
    expect(state.beyondChart()).toBe(more);
  });

  test.each([
    ['status', true],
    ['model', false],
    ['keyId', false],
  ] as const)('filtered by %s: the chart shows more than the list is %s', (filter, more) => {
    const state = new AdminUsageState(new FakeApi(), () => '2026-11-21');
    state.filters[filter].set('one');
    expect(state.beyondChart()).toBe(more);
    expect(state.filters.beyondChart()).toBe(more);
  });
});
