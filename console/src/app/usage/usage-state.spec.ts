import { expect, test } from 'vitest';
import { FakeApi } from '../../testing/fake-api';
import { key, user } from '../../testing/views';
import { idFrom } from '../core/state/address';
import { UsageState } from './usage-state';

const OTHER = 'A deleted or unknown key';

test('Every key can be chosen, and one that is gone is named while it narrows the list', async () => {
  const second = { ...key, id: user.id, name: 'Server' };
  const api = new FakeApi({
    listKeys: ({ query }) =>
      query.cursor === undefined
        ? { data: [key], nextCursor: 'a', total: 2 }
        : { data: [second], nextCursor: null, total: null },
  });
  const state = new UsageState(api, () => '2026-11-21');
  const labels = (): string[] => state.keyOptions(OTHER).map(({ label }) => label);
  state.filters.keyId.set(user.id);
  expect(labels()).toEqual(['…']);
  await state.keys.load();
  expect(labels()).toEqual(['Laptop', 'Server']);
  state.filters.keyId.set(user.accountId);
  expect(state.keyOptions(OTHER).at(-1)).toEqual({ value: user.accountId, label: OTHER });
});

test('What is no id filters nothing', () => {
  expect([idFrom(key.id), idFrom('foo'), idFrom(undefined)]).toEqual([key.id, '', '']);
});
