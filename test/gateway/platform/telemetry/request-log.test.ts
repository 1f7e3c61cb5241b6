import { expect, it, vi } from 'vitest';
import { steadyNowMs } from '../../../../gateway/platform/clock/steady-clock.ts';
import { Principal } from '../../../../gateway/data-plane/authentication/principal.ts';
import { createLogger } from '../../../../gateway/platform/telemetry/logger.ts';
import {
  requestLog,
  type RequestSummary,
} from '../../../../gateway/platform/telemetry/request-log.ts';
import { KEY_ROW } from '../../../support/ledger/key-row.ts';

/** A request that was refused before anything was known about it. */
function summary(change: Partial<RequestSummary> = {}): RequestSummary {
  return {
    startedAtMs: steadyNowMs(),
    createdAtMs: Date.now(),
    requestId: '01a1fd85-7715-7fed-a767-b935f6226f9d',
    principal: null,
    model: null,
    stream: false,
    channelId: null,
    attempts: 0,
    status: 'failed',
    httpStatus: 0,
    firstByteAtMs: null,
    tokens: null,
    estimated: false,
    capped: false,
    costNanoUsd: 0,
    refused: null,
    upstreamFailure: null,
    protocol: null,
    refusalMessage: null,
    failedAttempts: null,
    unauthenticated: null,
    holdFromMs: null,
    heldMs: null,
    attemptFromMs: null,
    settleFromMs: null,
    ...change,
  };
}

function open(logLevel: 'info' | 'warn' = 'info', unauthenticatedLinesPerSecond = 1_000) {
  const writes: string[] = [];
  const logger = createLogger({ logLevel }, { thread: 3 }, { write: (text) => writes.push(text) });
  const lines = (): Record<string, unknown>[] =>
    writes
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log: requestLog(logger, unauthenticatedLinesPerSecond), logger, writes, lines };
}

it('writes one JSON line with everything that is known about a request', async () => {
  const { log, lines } = open();
  const startedAtMs = steadyNowMs();
  const trace = summary({
    startedAtMs,
    firstByteAtMs: startedAtMs + 7,
    principal: new Principal(KEY_ROW),
    model: 'vendor/model',
    stream: true,
    channelId: '01a1fd85-7715-7fed-a767-b935f6226f9c',
    place: 'river-project/us-east5',
    attempts: 2,
    status: 'completed',
    httpStatus: 200,
    tokens: { input: 12, cachedInput: 0, cacheWrite: 0, output: 34, reasoning: 0 },
    estimated: true,
    costNanoUsd: 56_789,
    upstreamFailure: 'HTTP 500',
  });
  log.request(trace);
  await expect.poll(lines).toHaveLength(1);
  expect(lines()[0]).toMatchObject({
    level: 30,
    thread: 3,
    msg: 'request',
    requestId: trace.requestId,
    keyPrefix: 'sk-abcdef',
    accountId: KEY_ROW.accountId,
    model: 'vendor/model',
    stream: true,
    httpStatus: 200,
    status: 'completed',
    channelId: '01a1fd85-7715-7fed-a767-b935f6226f9c',
    place: 'river-project/us-east5',
    attempts: 2,
    inputTokens: 12,
    outputTokens: 34,
    estimated: true,
    costNanoUsd: 56_789,
    firstByteMs: 7,
    upstreamFailure: 'HTTP 500',
  });
  expect(Date.parse(String(lines()[0]?.['time']))).not.toBeNaN();
});

it.each([
  {},
  { stream: true },
  { status: 'client_disconnected' },
  { httpStatus: 0 },
  { attempts: 2 },
  { refused: 'upstream_error' },
  { upstreamFailure: 'status 500' },
  { estimated: true },
  { capped: true },
] as const)('tells what was unusual about a request: %o', async (unusual) => {
  const { log, lines } = open();
  const usual = { stream: false, status: 'completed', httpStatus: 200, attempts: 1 } as const;
  log.request(summary({ model: 'm', ...usual, ...unusual }));
  await expect.poll(lines).toHaveLength(1);
  const names = [
    'stream',
    'status',
    'httpStatus',
    'attempts',
    'refused',
    'upstreamFailure',
    'estimated',
    'capped',
  ];
  const told = Object.entries(lines()[0] ?? {}).filter(([name]) => names.includes(name));
  expect(Object.fromEntries(told)).toEqual({ ...usual, ...unusual });
});

it('cannot be made to write a second line by what a client sends', async () => {
  const { log, lines } = open();
  const model = 'x"}\n{"level":60,"msg":"forged';
  const trace = summary({ model, refused: 'model_not_found' });
  log.request(trace);
  await expect.poll(lines).toHaveLength(1);
  expect(lines()[0]).toMatchObject({ model: trace.model, refused: 'model_not_found', level: 30 });
});

it('writes nothing below the configured level', async () => {
  vi.useFakeTimers();
  const { log, writes } = open('warn');
  log.request(summary());
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(writes).toEqual([]);
});

it('writes so many lines a second about unauthenticated requests, and counts the rest; of customers it writes all', async () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  const { log, lines } = open('info', 3);
  const principal = new Principal(KEY_ROW);
  const ask = (from: Partial<RequestSummary> = {}): unknown => log.request(summary(from));
  for (let count = 0; count < 10; count += 1) ask();
  for (let count = 0; count < 10; count += 1) ask({ principal });
  await vi.advanceTimersByTimeAsync(1_000);
  for (let count = 0; count < 2; count += 1) ask();
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();
  const told = lines();
  expect(told.filter(({ msg }) => msg === 'request')).toHaveLength(15);
  expect(told.filter(({ keyPrefix }) => keyPrefix !== undefined)).toHaveLength(10);
  const others = told.filter(({ msg }) => msg !== 'request');
  expect(others).toMatchObject([{ level: 40, requests: 7 }]);
  expect(others[0]?.['msg']).toContain('UNAUTHENTICATED_LOG_LINES_PER_SECOND');
});

it('writes no more at once than a pipe takes in one piece', async () => {
  const { log, writes, lines } = open();
  for (let count = 0; count < 200; count += 1) log.request(summary());
  await expect.poll(lines).toHaveLength(200);
  for (const text of writes) {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
    expect(text.endsWith('\n')).toBe(true);
  }
  expect(writes.length).toBeLessThan(40);
});

it('keeps secrets out of the log even when they are passed to it', () => {
  const { logger, writes } = open();
  logger.info({ key: 'sk-secret', deep: { password: 'hunter22', apiKey: 'x9x9' } }, 'slip');
  expect(writes.join('')).toContain('[redacted]');
  expect(writes.join('')).not.toMatch(/sk-secret|hunter22|x9x9/);
});
