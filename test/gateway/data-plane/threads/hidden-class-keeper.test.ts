import { expect, it } from 'vitest';
import { HiddenClassKeeper } from '../../../../gateway/data-plane/threads/hidden-class-keeper.ts';

it('keeps the newest object of each kind, refreshed once a second at most', () => {
  const keeper = new HiddenClassKeeper<'stream' | 'whole'>();
  const first = { request: 1 };
  expect(keeper.isDue('whole', 5_000)).toBe(true);
  keeper.keep('whole', first, 5_000);
  expect(keeper.of('whole')).toBe(first);
  expect(keeper.of('stream')).toBeUndefined();
  expect(keeper.isDue('whole', 5_999)).toBe(false);
  expect(keeper.isDue('stream', 5_999)).toBe(true);
  expect(keeper.isDue('whole', 6_000)).toBe(true);
});
