import { describe, expect, test } from 'vitest';
import { ApiFailure } from '../api/api-failure';
import { memoryStorage } from './browser-storage';
import { OperationKeys } from './operation-keys';
import { PENDING_STORAGE_KEY, PendingOperations } from './pending-operations';

const CREDIT = { params: { accountId: 'a' }, body: { amountUsd: '10' } };
const lost = new ApiFailure({ code: 'unreachable' });

describe('The key of an act whose answer was lost outlasts a reload', () => {
  const DAY_MS = 86_400_000;

  /** A page of the tab: each has keys of its own making. */
  function tab() {
    const storage = memoryStorage();
    let nowMs = 1_000;
    const page = (userId: string, name: string) => {
      const keys = new OperationKeys(
        () => name,
        new PendingOperations(
          storage,
          () => userId,
          () => nowMs,
        ),
      );
      const act = (content: object, lose = false): Promise<unknown> =>
        keys
          .act(content, (key) => (lose ? Promise.reject(lost) : Promise.resolve(key)))
          .catch(() => undefined);
      return { keys, act };
    };
    return { storage, page, wait: (ms: number) => (nowMs += ms) };
  }

  test('until its fate is known, and what it was about stands nowhere', async () => {
    const { storage, page } = tab();
    await page('ada', 'first').act(CREDIT, true);
    expect(storage.getItem(PENDING_STORAGE_KEY)).not.toContain('amount');
    const reloaded = page('ada', 'second');
    expect(reloaded.keys.hasPending()).toBe(true);
    expect(await reloaded.act({ ...CREDIT, params: {} })).toBe('second');
    expect(await reloaded.act(CREDIT)).toBe('first');
    expect(await page('ada', 'third').act(CREDIT)).toBe('third');
  });

  test('but not for someone else, nor once it is forgotten', async () => {
    const { page } = tab();
    await page('ada', 'first').act(CREDIT, true);
    expect(await page('eve', 'second').act(CREDIT)).toBe('second');
    page('ada', 'third').keys.forget();
    expect(await page('ada', 'fourth').act(CREDIT)).toBe('fourth');
  });

  test('only as long as the server remembers it, and 50 of them', async () => {
    const { page, wait } = tab();
    await page('ada', 'first').act(CREDIT, true);
    wait(7 * DAY_MS);
    const { keys, act } = page('ada', 'second');
    expect(keys.hasPending()).toBe(false);
    for (let credit = 0; credit <= 50; credit += 1) await act({ credit }, true);
    const later = page('ada', 'third');
    expect(await later.act({ credit: 1 })).toBe('second');
    expect(await later.act({ credit: 0 })).toBe('third');
  });

  test('unless the storage has something else in it, or is full', async () => {
    const { storage, page } = tab();
    storage.setItem(PENDING_STORAGE_KEY, '{');
    expect(await page('ada', 'first').act(CREDIT)).toBe('first');
    storage.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    const { act } = page('ada', 'second');
    await act(CREDIT, true);
    expect(await act(CREDIT)).toBe('second');
  });
});
