import { beforeEach, describe, expect, it } from 'vitest';
import { TokenCountThrottle } from '../../../../gateway/data-plane/admission/token-count-throttle.ts';

/** Rest that may add up: three seconds of counting, at ten times their length. */
const FREE_MS = 3_000;

describe('the ration of counts', () => {
  let ration: TokenCountThrottle;
  beforeEach(() => {
    ration = new TokenCountThrottle();
  });

  /** A count that ended in a refusal; answers when it ended. */
  function refused(account: string, fromMs: number, tookMs: number): number {
    expect(ration.begin(account, fromMs)).toBe(0);
    ration.end(account, fromMs + tookMs, tookMs);
    return fromMs + tookMs;
  }

  it('is one at a time for an account, and others do not wait for it', () => {
    expect(ration.begin('one', 0)).toBe(0);
    expect(ration.begin('one', 1)).toBe(1_000);
    expect(ration.begin('other', 1)).toBe(0);
    ration.end('one', 2, 0);
    expect(ration.begin('one', 2)).toBe(0);
  });

  it('lets an account that was refused try again at once', () => {
    const nowMs = refused('one', 0, FREE_MS);
    expect(ration.begin('one', nowMs)).toBe(0);
  });

  it('makes an account wait ten times as long as its refused counts took', () => {
    const nowMs = refused('one', 0, FREE_MS + 500);
    expect(ration.begin('one', nowMs)).toBe(5_000);
    expect(ration.begin('one', nowMs + 4_000)).toBe(1_000);
    const laterMs = refused('one', nowMs + 5_000, 100);
    // What it has rested meanwhile is taken off.
    expect(ration.begin('one', laterMs)).toBe(1_000 - 100);
  });

  it('is not used up by counts that end in an answer', () => {
    for (let nowMs = 0; nowMs < 100_000; nowMs += 6_000) {
      expect(ration.begin('one', nowMs)).toBe(0);
      ration.end('one', nowMs + 6_000, 0);
    }
  });

  it('remembers no more than ten thousand accounts', () => {
    for (let account = 0; account <= 10_000; account += 1) refused(`account-${account}`, 0, 6_000);
    expect(ration.begin('account-0', 6_000)).toBe(0);
    expect(ration.begin('account-1', 6_000)).toBe(30_000);
  });
});
