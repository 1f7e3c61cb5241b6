import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PerTickLimiter } from '../../../../gateway/platform/event-loop/per-tick-limiter.ts';

const PER_TURN = 6;

/** Has so many enter at once; each notes its number when it is through. */
function enterAll(
  perTickLimiter: PerTickLimiter,
  count: number,
  through: number[],
  from = 0,
): void {
  for (let number = from; number < from + count; number += 1) {
    const wait = perTickLimiter.acquire();
    if (wait === undefined) through.push(number);
    else void wait.then(() => through.push(number));
  }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}

describe('PerTickLimiter', () => {
  it('lets so many through in a turn, and the others in order in the turns after it', async () => {
    const perTickLimiter = new PerTickLimiter(PER_TURN);
    const through: number[] = [];
    enterAll(perTickLimiter, 20, through);
    for (const expected of [6, 12, 18, 20, 20]) {
      expect(through).toEqual(numbers(expected));
      await turn();
    }
  });

  it('lets nobody pass those that wait', async () => {
    const perTickLimiter = new PerTickLimiter(PER_TURN);
    const through: number[] = [];
    enterAll(perTickLimiter, 10, through);
    await turn();
    // Of this turn's six, four were waiting.
    enterAll(perTickLimiter, 5, through, 10);
    expect(through).toEqual(numbers(12));
    await turn();
    expect(through).toEqual(numbers(15));
  });

  it('loses none of thousands, whenever they come', async () => {
    const perTickLimiter = new PerTickLimiter(PER_TURN);
    const through: number[] = [];
    let sent = 0;
    for (let round = 0; round < 60; round += 1) {
      const count = (round * 37) % 101;
      enterAll(perTickLimiter, count, through, sent);
      sent += count;
      const before = through.length;
      await turn();
      expect(through.length - before).toBeLessThanOrEqual(PER_TURN);
    }
    expect(through.length).toBeLessThan(sent);
    while (through.length < sent) await turn();
    expect(through).toEqual(numbers(sent));
    enterAll(perTickLimiter, 1, through, sent);
    expect(through).toEqual(numbers(sent + 1));
  });
});
