import { expect, it } from 'vitest';
import { LedgerHealth } from '../../../gateway/ledger/ledger-health.ts';

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
  expect(health.isFailing).toBe(true);
});

it('fails until a hold succeeds, or long enough after the last one failed', () => {
  const { clock, health } = watched();
  expect(health.isFailing).toBe(false);
  health.recordFailure('disk full');
  expect(health.isFailing).toBe(true);
  health.recordSuccess();
  expect(health.isFailing).toBe(false);
  health.recordFailure('disk full');
  clock.nowMs += 9_999;
  expect(health.isFailing).toBe(true);
  clock.nowMs += 1;
  expect(health.isFailing).toBe(false);
});

it('does not fail, and logs nothing more, while some holds succeed and some do not', () => {
  const { lines, clock, health } = watched();
  for (let round = 0; round < 20; round += 1) {
    health.recordFailure('too late');
    health.recordSuccess();
    health.recordFailure('too late');
    expect(health).toMatchObject({ isFailing: false, isWorking: true });
    clock.nowMs += 1_999;
  }
  expect(lines).toEqual(['error too late']);
  clock.nowMs += 1;
  expect(health).toMatchObject({ isFailing: true, isWorking: false });
});
