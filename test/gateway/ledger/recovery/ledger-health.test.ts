import { expect, it } from 'vitest';
import { LedgerHealth } from '../../../../gateway/ledger/ledger-health.ts';

function watched() {
  const lines: string[] = [];
  const note =
    (level: string) =>
    (details: object): void =>
      void lines.push(`${level} ${Object.values(details).join()}`.trim());
  const log = { info: note('info'), warn: note('warn'), error: note('error') };
  const clock = { nowMs: 0 };
  return { lines, clock, health: new LedgerHealth(log, () => clock.nowMs) };
}

it('says each cause once while holds fail, and once that they no longer do', () => {
  const { lines, clock, health } = watched();
  health.recordSuccess();
  for (const cause of ['disk full', 'disk full', 'read only', 'disk full'])
    health.recordFailure(cause);
  clock.nowMs += 10_000;
  health.recordSuccess();
  health.recordSuccess();
  health.recordFailure('disk full');
  expect(lines).toEqual(['error disk full', 'error read only', 'info', 'error disk full']);
});

it('says no more than a few of causes that are always other texts', () => {
  const { lines, health } = watched();
  for (let number = 0; number < 1_000; number += 1) health.recordFailure(`request ${number}`);
  expect(lines).toHaveLength(8);
});

it('is proven by a hold of just now and a settle of not long ago, even while other holds fail', () => {
  const { lines, clock, health } = watched();
  expect(health.isProven).toBe(false);
  health.recordSuccess();
  expect(health.isProven).toBe(false);
  health.recordSettled();
  for (let round = 0; round < 5; round += 1) {
    health.recordFailure('too late');
    health.recordSuccess();
    health.recordFailure('too late');
    expect(health.isProven).toBe(true);
    clock.nowMs += 1_999;
  }
  expect(lines).toEqual(['error too late']);
  health.recordSuccess();
  clock.nowMs += 5;
  expect(health.isProven, 'no settle for 10 s').toBe(false);
  health.recordSettled();
  clock.nowMs += 2_000;
  expect(health.isProven, 'no hold for 2 s').toBe(false);
});
