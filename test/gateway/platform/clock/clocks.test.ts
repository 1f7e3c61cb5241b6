import { describe, expect, it } from 'vitest';
import { findDifferences, spanText } from '../../../../gateway/platform/clock/clock-differences.ts';
import { clockDistance } from '../../../../gateway/platform/clock/clock-distance.ts';
import { ClockMeasurement } from '../../../../gateway/platform/clock/clock-measurement.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('the measurement of a remote clock', () => {
  it('stays where it is while samples do not contradict it, however slow their answers are', () => {
    const clock = new ClockMeasurement();
    const first = clock.add({ remoteMs: 1_000_010, sentAtMs: 0, receivedAtMs: 20 });
    for (const delayMs of [5, 900, 40_000, 1]) {
      const sentAtMs = 100 + delayMs;
      const remoteMs = Math.floor(1_000_000 + sentAtMs + delayMs / 2);
      const found = clock.add({ remoteMs, sentAtMs, receivedAtMs: sentAtMs + delayMs });
      expect(Math.abs(found - first)).toBeLessThan(1.5);
    }
  });

  it.each([HOUR_MS, -HOUR_MS, 40 * DAY_MS, -40 * DAY_MS])(
    'follows a clock that has jumped by %d ms with the first sample',
    (jumpMs) => {
      const clock = new ClockMeasurement();
      clock.add({ remoteMs: 5_000_000, sentAtMs: 0, receivedAtMs: 2 });
      const found = clock.add({
        remoteMs: 5_001_000 + jumpMs,
        sentAtMs: 1_000,
        receivedAtMs: 1_002,
      });
      expect(Math.abs(found - (5_000_000 + jumpMs))).toBeLessThanOrEqual(3);
    },
  );
});

describe('the distance of two clocks of this machine', () => {
  /** Two clocks 1,000 ms apart. Each reading takes a microsecond, or as long as it is held up. */
  function clocks(heldUpMs: (reading: number) => number) {
    let nowMs = 500;
    let readings = 0;
    const read = (): number => (nowMs += heldUpMs((readings += 1)) + 0.001);
    return { clock: () => read() + 1_000, other: read };
  }

  it.each([
    ['never', () => 0],
    [
      'at the first reading, as a thread that starts is',
      (reading: number) => (reading < 4 ? 170 : 0),
    ],
    [
      'at all readings but those of one pair',
      (reading: number) => ([28, 29, 30].includes(reading) ? 0 : 9),
    ],
  ])('is right if the thread is interrupted %s', (_when, heldUpMs) => {
    const { clock, other } = clocks(heldUpMs);
    expect(clockDistance(clock, other)).toBeCloseTo(1_000, 1);
  });
});

describe('the differences between clocks', () => {
  const messages = (...readings: readonly [name: string, differenceMs: number][]): string[] =>
    findDifferences(readings.map(([name, differenceMs]) => ({ name, differenceMs }))).map(
      ({ message }) => message,
    );

  it('are none while all are within seconds', () => {
    expect(messages()).toEqual([]);
    expect(messages(['Redis', 4_000], ['PostgreSQL', -900])).toEqual([]);
  });

  it('name the machine where both stores agree, and a store where it stands alone', () => {
    expect(messages(['Redis', 26 * HOUR_MS], ['PostgreSQL', 26 * HOUR_MS])).toEqual([
      expect.stringContaining('clock of this machine is 26 h behind the other clocks'),
    ]);
    expect(messages(['Redis', -70 * DAY_MS], ['PostgreSQL', 0])).toEqual([
      expect.stringContaining('clock of Redis is 70 days behind the other clocks'),
    ]);
    expect(messages(['Redis', 0], ['PostgreSQL', 90_000])).toEqual([
      expect.stringContaining('clock of PostgreSQL is 90 s ahead of the other clocks'),
    ]);
  });

  it('name the machine where there is one store, as its clock files the money', () => {
    expect(messages(['PostgreSQL', -70 * DAY_MS])).toEqual([
      expect.stringContaining('clock of this machine is 70 days ahead of that of PostgreSQL'),
    ]);
  });

  it('name the primary of a cluster that is astray', () => {
    const found = messages(['Redis at a:1', 10], ['Redis at b:2', 600_000], ['PostgreSQL', 20]);
    expect(found).toEqual([expect.stringContaining('clock of Redis at b:2 is 10 min ahead of')]);
  });

  it.each([
    [7_400, '7 s'],
    [119_000, '119 s'],
    [26 * HOUR_MS, '26 h'],
    [70 * DAY_MS, '70 days'],
  ])('say %d ms as %s', (ms, text) => {
    expect(spanText(ms)).toBe(text);
  });
});
