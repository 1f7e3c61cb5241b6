import { expect, test } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import { AdminUsageState } from './usage-state';

const TODAY = '2026-11-21';
/** Left out of the address. */
const ANY = { keyId: '', model: '', status: '' };

function begin() {
  const api = new FakeApi({
    listUsageDays: () => ({ data: [] }),
    listUsageRecords: () => ({ data: [], nextCursor: null }),
  });
  return { api, state: new AdminUsageState(api, () => TODAY) };
}

test('The chart of all accounts is filtered as the list is', async () => {
  const { api, state } = begin();
  for (const filter of ['accountId', 'groupId', 'channelId'] as const) state[filter].set(filter);
  state.filters.keyId.set('key');
  state.filters.model.set('model');
  state.filters.status.set('failed');
  await Promise.all([state.days.load(), state.list.load()]);
  const same = {
    accountId: 'accountId',
    groupId: 'groupId',
    channelId: 'channelId',
    keyId: 'key',
    model: 'model',
    status: 'failed',
  };
  expect(api.callsOf('listUsageDays')[0]?.query).toMatchObject({ ...same, per: 'day' });
  expect(api.callsOf('listUsageRecords')[0]?.query).toMatchObject(same);
});

test('A free range is the same for list and chart, and shows hours of a day or two', () => {
  const { filters } = begin().state;
  filters.range.set('1');
  expect(filters.dayQuery()).toMatchObject({ from: TODAY, to: TODAY, per: 'hour' });
  expect(filters.recordQuery()).toEqual({ ...ANY, from: `${TODAY}T00:00:00.000Z` });
  filters.range.set('custom');
  filters.from.set('2026-11-03');
  filters.to.set('2026-11-02');
  expect(filters.dayQuery()).toEqual({
    ...ANY,
    from: '2026-11-02',
    to: '2026-11-03',
    per: 'hour',
  });
  expect(filters.recordQuery()).toEqual({
    ...ANY,
    from: '2026-11-02T00:00:00.000Z',
    to: '2026-11-04T00:00:00.000Z',
  });
  filters.from.set('2026-10-01');
  expect(filters.dayQuery()).toMatchObject({ from: '2026-10-01', to: '2026-11-02', per: 'day' });
  filters.to.set('');
  expect(filters.days()).toEqual({ from: '2026-10-01', to: TODAY });
});
