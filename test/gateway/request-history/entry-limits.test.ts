import { expect, it } from 'vitest';
import { EntryLimits } from '../../../gateway/request-history/entry-limits.ts';

const PER_SECOND = 200;
const SECOND_MS = 1_000;
const HOUR_SECONDS = 3_600;

/** Entries that are written of so many requests a second, sent by some in turn for an hour. */
function flood(senders: readonly (string | null)[], perSecond: number, isBilled = false): number {
  const limits = new EntryLimits(PER_SECOND);
  let written = 0;
  for (let second = 0; second < HOUR_SECONDS; second += 1) {
    for (let sent = 0; sent < perSecond; sent += 1) {
      const sender = senders[sent % senders.length] ?? null;
      if (limits.take(isBilled, sender, second * SECOND_MS)) written += 1;
    }
  }
  return written;
}

it('gives guessed keys two entries a second, and a burst', () => {
  expect(flood([null], 400)).toBeLessThan(2 * HOUR_SECONDS + 1_801);
});

it('gives one account no more for requests that are refused', () => {
  expect(flood(['a'], 400)).toBeLessThan(2 * HOUR_SECONDS + 1_801);
});

it('gives all refused requests together a tenth, however many accounts send them', () => {
  const many = Array.from({ length: 5_000 }, (_value, index) => `account ${String(index)}`);
  expect(flood(many, 400)).toBeLessThan(20 * HOUR_SECONDS + 18_001);
});

it('gives those who pay the rate that is set, and a burst', () => {
  const written = flood(['a'], 400, true);
  expect(written).toBeGreaterThan(PER_SECOND * HOUR_SECONDS);
  expect(written).toBeLessThan(PER_SECOND * HOUR_SECONDS + 120_001);
});

it('tells what fails while a rush of served requests is summed up', () => {
  const limits = new EntryLimits(PER_SECOND);
  while (limits.take(true, 'a', SECOND_MS));
  expect(limits.take(false, 'a', SECOND_MS)).toBe(true);
});

it('writes nothing at a rate of 0, and gives nothing for a clock that is set back', () => {
  expect(new EntryLimits(0).take(true, 'a', SECOND_MS)).toBe(false);
  const limits = new EntryLimits(1);
  while (limits.take(true, 'a', 10 * SECOND_MS));
  expect(limits.take(true, 'a', 0)).toBe(false);
});
