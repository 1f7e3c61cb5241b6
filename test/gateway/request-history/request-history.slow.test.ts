import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  RequestHistory,
  type EntryBatch,
} from '../../../gateway/request-history/request-history.ts';
import { principal, served, unauthenticated, tokens } from './support/summary.ts';

const START_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;

type Entry = Readonly<Record<string, unknown>>;

beforeEach(() => vi.useFakeTimers({ now: START_MS }));
afterEach(() => vi.useRealTimers());

function open(entriesPerSecond: number) {
  const batches: EntryBatch[] = [];
  const history = new RequestHistory(entriesPerSecond, (batch) => batches.push(batch));
  const entries = (): Entry[] =>
    batches.flatMap(({ json }) => JSON.parse(Buffer.from(json).toString()) as Entry[]);
  return { history, batches, entries };
}

function countOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { count = 1 }) => sum + Number(count), 0);
}

it('hands on what is known of a request, a second later, in one batch with others', async () => {
  const { history, batches, entries } = open(200);
  history.add(served(START_MS), START_MS + 500);
  history.add(unauthenticated(START_MS + 1), START_MS + 2);
  expect(batches).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(batches).toHaveLength(1);
  expect(batches[0]).toMatchObject({ entries: 2, summed: 0 });
  expect(entries()).toMatchObject([
    {
      at: START_MS,
      accountId: principal().accountId,
      keyId: principal().keyId,
      groupId: principal().groupId,
      model: 'vendor/model',
      protocol: 'openai-chat',
      status: 'completed',
      httpStatus: 200,
      inputTokens: 10,
      outputTokens: 50,
      firstByteMs: 120,
      latencyMs: 500,
    },
    { refused: 'invalid_api_key', address: '203.0.113.9', keyPrefix: 'sk-guess', latencyMs: 1 },
  ]);
  history.close();
});

it('sums up a flood of guessed keys, a row a minute, and still tells who sends it', async () => {
  const { history, entries } = open(200);
  const FLOOD = 100_000;
  for (let sent = 0; sent < FLOOD; sent += 1) history.add(unauthenticated(START_MS), START_MS);
  await vi.advanceTimersByTimeAsync(MINUTE_MS + 1_000);
  const told = entries();
  expect(countOf(told)).toBe(FLOOD);
  expect(told.length).toBeLessThan(2_000);
  expect(told.filter(({ address }) => address === '203.0.113.9').length).toBeGreaterThan(100);
  expect(told.at(-1)).toMatchObject({ refused: 'invalid_api_key', httpStatus: 401 });
  expect(told.at(-1)?.['count']).toBeGreaterThan(FLOOD / 2);
  history.close();
});

it('lets no flood of refused requests take the entries of those who pay', () => {
  const { history, entries } = open(200);
  for (let sent = 0; sent < 50_000; sent += 1) {
    history.add(
      served(START_MS, { tokens: null, status: 'failed', httpStatus: 429, refused: 'overloaded' }),
      START_MS,
    );
  }
  const paid = served(START_MS, { principal: principal('01a1fd85-7715-7fed-a767-b935f6226001') });
  history.add(paid, START_MS + 5);
  history.close();
  expect(entries().filter(({ requestId }) => requestId === paid.requestId)).toHaveLength(1);
});

it('enters 2,000 paid requests a second for a minute one by one', () => {
  const { history, batches, entries } = open(200);
  for (let nowMs = START_MS; nowMs < START_MS + MINUTE_MS; nowMs += 100) {
    for (let sent = 0; sent < 200; sent += 1) history.add(served(nowMs), nowMs + 90);
  }
  history.close();
  expect(batches.reduce((sum, { summed }) => sum + summed, 0)).toBe(0);
  expect(entries()).toHaveLength(120_000);
});

it('keeps the sums of what has no entry of its own exact', () => {
  const { history, batches, entries } = open(0);
  for (let sent = 1; sent <= 4; sent += 1) {
    history.add(
      served(START_MS, {
        tokens: tokens(sent, 10 * sent),
        costNanoUsd: sent,
        firstByteAtMs: START_MS + 100,
      }),
      START_MS + 300,
    );
  }
  history.add(served(START_MS, { model: 'other/model' }), START_MS + 10);
  history.close();
  expect(batches[0]).toMatchObject({ entries: 2, summed: 5 });
  expect(entries()[0]).toMatchObject({
    count: 4,
    model: 'vendor/model',
    inputTokens: 10,
    outputTokens: 100,
    costNanoUsd: 10,
    latencyMs: 300,
    firstByteMs: 100,
  });
});

it('keeps no more sums than it has room for, whatever names are made up', () => {
  const { history, entries } = open(0);
  for (let sent = 0; sent < 10_000; sent += 1) {
    const change = { model: `made-up-${String(sent)}`, refused: 'model_not_found', tokens: null };
    history.add(served(START_MS, { ...change, status: 'failed', httpStatus: 404 }), START_MS);
  }
  for (let sent = 0; sent < 5_000; sent += 1) {
    history.add(served(START_MS, { model: `sold-${String(sent)}` }), START_MS);
  }
  history.close();
  expect(countOf(entries())).toBe(15_000);
  expect(entries().length).toBeLessThanOrEqual(2_002);
});

it('bounds a name that a client made as long as a body may be', () => {
  const { history, entries } = open(200);
  for (let sent = 0; sent < 3; sent += 1) {
    history.add(served(START_MS, { model: '模'.repeat(1_000_000) }), START_MS);
  }
  history.close();
  expect(entries().map(({ model }) => String(model).length)).toEqual([200, 200, 200]);
});

it('writes what PostgreSQL can store, whatever a client calls its model', () => {
  const { history, entries } = open(200);
  history.add(served(START_MS, { model: 'a\u0000b\ud800"\n' }), START_MS);
  history.close();
  expect(entries()[0]).toMatchObject({ model: 'a\ufffdb\ufffd"\n' });
});
