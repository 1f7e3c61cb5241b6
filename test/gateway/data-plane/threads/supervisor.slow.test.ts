import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { loadConfig } from '../../../../gateway/platform/config/config.ts';
import { HANG_MS, until } from '../../../support/clocks/hang.ts';
import { Supervisor } from '../../../../gateway/data-plane/threads/supervisor.ts';

const PROGRAM = new URL('./stub-thread.ts', import.meta.url);

const folders: string[] = [];
const supervisors: Supervisor[] = [];

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(supervisors.splice(0).map((supervisor) => supervisor.drain(HANG_MS)));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function open(threads: number) {
  const folder = mkdtempSync(join(tmpdir(), 'weir-threads-'));
  folders.push(folder);
  const orders = join(folder, 'orders');
  const log: string[] = [];
  const state = { hopeless: 0, starts: 0 };
  const supervisor = new Supervisor({
    threads,
    port: 4_242,
    program: PROGRAM,
    logger: pino({}, { write: (line) => log.push(line) }),
    onHopeless: () => {
      state.hopeless += 1;
    },
    start: () => {
      state.starts += 1;
      return {
        config: loadConfig({ DATA_DIR: orders }),
        databaseUrl: '',
        redisUrl: null,
        secretKey: '',
        workerThreads: 1,
        minted: [],
        catalog: { version: 1, groups: [], models: [], channels: [], uncheckedKeyPrefixes: [] },
      };
    },
  });
  supervisors.push(supervisor);
  return {
    supervisor,
    log,
    state,
    order: (text: string) => writeFileSync(orders, text),
    /** Threads that fail end from now on. */
    letFailingEnd: () => writeFileSync(`${orders}.end`, ''),
  };
}

const states = (supervisor: Supervisor): string[] => supervisor.status().map(({ state }) => state);

it('starts every thread', async () => {
  const { supervisor, state } = open(3);
  await supervisor.start();
  expect(states(supervisor)).toEqual(['serving', 'serving', 'serving']);
  expect(state.starts).toBe(3);
});

it('does not start when a thread cannot listen', async () => {
  const { supervisor, order } = open(2);
  order('cannot listen');
  await expect(supervisor.start()).rejects.toThrow('Set PORT to a free one.');
});

it('replaces a thread that ends, and leaves the others alone', async () => {
  const { supervisor, log, state } = open(2);
  await supervisor.start();
  const [, other] = supervisor.status();
  supervisor.send(0, { kind: 'forget_all' });
  await expect.poll(() => supervisor.status()[0]?.restarts).toBe(1);
  await expect.poll(() => states(supervisor)).toEqual(['serving', 'serving']);
  expect(supervisor.status()[1]).toEqual(other);
  expect(state.starts).toBe(3);
  expect(log.join('')).toContain('"code":7');
});

it('starts the replacement of a failing thread before that one has ended', async () => {
  const { supervisor, log, letFailingEnd } = open(1);
  await supervisor.start();
  supervisor.send(0, { kind: 'crash' });
  await expect.poll(() => supervisor.status()[0]).toMatchObject({ state: 'serving', restarts: 1 });
  // Both answer: the one that serves, and the one that finishes its requests.
  await expect.poll(() => supervisor.counters()).toHaveLength(2);
  letFailingEnd();
  await expect.poll(async () => (await supervisor.counters())[1]?.inFlight).toBe(0);
  // What it left is told when it ends, not in the exit code of an orderly end weeks later.
  expect(log.join('')).toContain('"unfinished":1,"givenUp":2');
  expect(await supervisor.drain(HANG_MS)).toEqual({ unfinished: 0, givenUp: 0, ended: true });
});

it('keeps what threads that have ended counted, as one sum', async () => {
  const { supervisor, letFailingEnd } = open(2);
  letFailingEnd();
  await supervisor.start();
  for (let restarts = 1; restarts <= 2; restarts += 1) {
    supervisor.send(0, { kind: 'crash' });
    await expect.poll(() => supervisor.status()[0]).toMatchObject({ state: 'serving', restarts });
  }
  await expect.poll(async () => (await supervisor.counters())[2]?.requests).toBe(20);
  const [, , ended] = await supervisor.counters();
  expect(ended).toMatchObject({
    requests: 20,
    inFlight: 0,
    statuses: { 200: 20 },
    uncollectedNanoUsd: 14,
    channels: [
      {
        channelId: 'c',
        state: 'closed',
        retryAtMs: null,
        limitedModels: [],
        outcomes: { lastSuccessAtMs: null, failedAtMs: [], lastFailure: null },
        attempts: 4,
        failures: 2,
      },
    ],
  });
});

it('counts what a thread said last that does not answer in time, or died without a word', async () => {
  const { supervisor } = open(2);
  await supervisor.start();
  const requests = async (): Promise<number> =>
    (await supervisor.counters()).reduce((sum, counted) => sum + counted.requests, 0);
  // All of them have answered in time once, be the machine ever so busy.
  await expect.poll(requests).toBe(10 + 11);
  supervisor.send(0, { kind: 'changed', keyIds: [], accountIds: [] });
  expect(await requests()).toBe(10 + 11);
  supervisor.send(0, { kind: 'forget_all' });
  await expect.poll(() => supervisor.status()[0]).toMatchObject({ state: 'serving', restarts: 1 });
  await expect.poll(requests).toBe(10 + 11 + 10);
});

it('tells a new thread that Postgres does not answer', async () => {
  const { supervisor } = open(1);
  await supervisor.start();
  supervisor.broadcast({ kind: 'stores', postgresReady: false, notReady: null });
  supervisor.send(0, { kind: 'forget_all' });
  await expect.poll(() => supervisor.status()[0]?.restarts).toBe(1);
  await expect
    .poll(async () => (await supervisor.counters())[0]?.latencyMsBuckets[0]?.count)
    .toBe(1);
});

it('waits longer each time a thread dies at once, and gives up when all of them do', async () => {
  const { supervisor, log, state, order } = open(1);
  await supervisor.start();
  order('throw at start');
  // Its clock is moved by hand: the threads are real, and die as fast as the machine lets them.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  supervisor.send(0, { kind: 'forget_all' });
  for (const [deaths, delayMs] of [0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000].entries()) {
    await until(`death ${deaths + 1}`, () => supervisor.status()[0]?.restarts === deaths + 1);
    expect(state.starts).toBe(deaths + 1);
    if (delayMs > 0) vi.advanceTimersByTime(delayMs - 1);
    expect(state.starts).toBe(deaths + 1);
    expect(state.hopeless).toBe(0);
    vi.advanceTimersByTime(1);
    expect(state.starts).toBe(deaths + 2);
  }
  await until('it gives up', () => state.hopeless === 1);
  expect(log.join('')).toContain('giving up');
  // Nothing is planned any more. Timers are not counted: others of this process may have some.
  vi.advanceTimersByTime(600_000);
  expect(state.starts).toBe(10);
});

it('goes on with one thread that works when another never does', async () => {
  const { supervisor, order } = open(2);
  await supervisor.start();
  order('throw at start');
  supervisor.send(1, { kind: 'forget_all' });
  await expect.poll(() => supervisor.status()[1]?.restarts).toBeGreaterThanOrEqual(3);
  expect(supervisor.status()[0]).toMatchObject({ state: 'serving', restarts: 0 });
  order('');
  await expect.poll(() => states(supervisor)).toEqual(['serving', 'serving']);
});

it('drains every thread and tells how many requests did not finish and how many bills were given up', async () => {
  const { supervisor, state } = open(3);
  await supervisor.start();
  // Thread n of the stub leaves n unfinished, and twice as many bills.
  expect(await supervisor.drain(HANG_MS)).toEqual({ unfinished: 3, givenUp: 6, ended: true });
  // A replacement for a thread that has ended would be started by a timer before this one.
  await new Promise((resolve) => setTimeout(resolve));
  expect(state.starts).toBe(3);
});
