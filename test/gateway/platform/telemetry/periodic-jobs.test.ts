import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PeriodicJobs } from '../../../../gateway/platform/telemetry/periodic-jobs.ts';

const EVERY_MS = 1_000;

let nowMs: number;
let lines: string[];
let jobs: PeriodicJobs;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  nowMs = 1_000_000;
  lines = [];
  const log =
    (level: string) =>
    (_details: object, message: string): void => {
      lines.push(`${level}: ${message}`);
    };
  const logger = { info: log('info'), warn: log('warn'), error: log('error') };
  jobs = new PeriodicJobs(logger, () => nowMs);
});
afterEach(async () => {
  await jobs.stop();
  vi.useRealTimers();
});

async function pass(periods: number): Promise<void> {
  for (let period = 0; period < periods; period += 1) {
    nowMs += EVERY_MS;
    await vi.advanceTimersByTimeAsync(EVERY_MS);
  }
}

const warnings = () => lines.filter((line) => line.startsWith('warn'));

it('knows when a job succeeded last', async () => {
  jobs.start({ name: 'renew', everyMs: EVERY_MS, run: () => Promise.resolve(true) });
  expect(jobs.status()).toMatchObject([{ name: 'renew', lastSuccessAtMs: null, isLate: false }]);
  await pass(20);
  expect(jobs.status()).toMatchObject([{ lastSuccessAtMs: nowMs, isLate: false }]);
  expect(lines).toEqual([]);
});

it('reports once a job whose lock somebody holds for ever, and that it succeeds again', async () => {
  let isFree = false;
  jobs.start({ name: 'renew', everyMs: EVERY_MS, run: () => Promise.resolve(isFree) });
  await pass(20);
  expect(jobs.status()).toMatchObject([{ lastSuccessAtMs: null, isLate: true }]);
  expect(warnings()).toHaveLength(1);
  isFree = true;
  await pass(2);
  expect(jobs.status()).toMatchObject([{ isLate: false }]);
  expect(lines.at(-1)).toBe('info: the periodic job succeeds again');
});

it('tells why the latest run failed, and reports one that hangs', async () => {
  const failing = new Error('no such table');
  jobs.start({ name: 'fails', everyMs: EVERY_MS, run: () => Promise.reject(failing) });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  jobs.start({ name: 'hangs', everyMs: EVERY_MS, run: () => promise });
  await pass(8);
  expect(jobs.status()).toMatchObject([
    { isLate: true, lastFailure: 'no such table' },
    { isLate: true, lastFailure: null },
  ]);
  expect(warnings()).toHaveLength(2);
  resolve(true);
});
