import { expect, it } from 'vitest';
import { HoldFaults } from '../../../gateway/ledger/hold-faults.ts';

function watched() {
  const lines: string[] = [];
  const note =
    (level: string) =>
    (details: object): void =>
      void lines.push(`${level} ${Object.values(details).join()}`.trim());
  const log = { info: note('info'), warn: note('warn'), error: note('error') };
  const clock = { nowMs: 0 };
  return { lines, clock, faults: new HoldFaults(log, () => clock.nowMs) };
}

it('says each cause once while holds fail, and once that they no longer do', () => {
  const { lines, clock, faults } = watched();
  faults.held();
  for (const cause of ['disk full', 'disk full', 'read only', 'disk full']) faults.failed(cause);
  clock.nowMs += 10_000;
  faults.held();
  faults.held();
  faults.failed('disk full');
  expect(lines).toEqual(['error disk full', 'error read only', 'info', 'error disk full']);
});

it('says no more than a few of causes that are always other texts', () => {
  const { lines, faults } = watched();
  for (let number = 0; number < 1_000; number += 1) faults.failed(`request ${number}`);
  expect(lines).toHaveLength(8);
  expect(faults.failing).toBe(true);
});

it('fails until a hold succeeds, or long enough after the last one failed', () => {
  const { clock, faults } = watched();
  expect(faults.failing).toBe(false);
  faults.failed('disk full');
  expect(faults.failing).toBe(true);
  faults.held();
  expect(faults.failing).toBe(false);
  faults.failed('disk full');
  clock.nowMs += 9_999;
  expect(faults.failing).toBe(true);
  clock.nowMs += 1;
  expect(faults.failing).toBe(false);
});

it('does not fail, and says nothing anew, while some holds succeed and some do not', () => {
  const { lines, clock, faults } = watched();
  for (let round = 0; round < 20; round += 1) {
    faults.failed('too late');
    faults.held();
    faults.failed('too late');
    expect(faults).toMatchObject({ failing: false, holding: true });
    clock.nowMs += 1_999;
  }
  expect(lines).toEqual(['error too late']);
  clock.nowMs += 1;
  expect(faults).toMatchObject({ failing: true, holding: false });
});
