import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startHistoryWriter } from '../../../gateway/request-history/history-writer.ts';
import {
  RequestHistory,
  type EntryBatch,
} from '../../../gateway/request-history/request-history.ts';
import type { RequestSummary } from '../../../gateway/platform/telemetry/request-log.ts';
import { SILENT_LOG } from '../../../gateway/ledger/ledger-log.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { IDS, served, unauthenticated } from './support/summary.ts';

let database: TestDatabase;
let pool: pg.Pool;
const NOON_MS = Date.UTC(2026, 2, 4, 12);

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  await pool.query('select ensure_request_partitions(3)');
  await pool.query(
    `insert into models (id, public_id, display_name, context_tokens_max, output_tokens_max)
     values ($1, 'vendor/model', 'Model', 1000, 1000)`,
    [randomUUID()],
  );
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

beforeEach(async () => {
  await pool.query('truncate requests, request_attempts, request_sums, request_account_sums');
});

function batchOf(requests: readonly RequestSummary[], durationMs = 620): EntryBatch {
  const batches: EntryBatch[] = [];
  const history = new RequestHistory(1_000, (batch) => batches.push(batch));
  for (const request of requests) history.add(request, request.startedAtMs + durationMs);
  history.close();
  const [batch] = batches;
  if (batch === undefined) throw new Error('no batch');
  return batch;
}

async function write(...batches: readonly EntryBatch[]) {
  const writer = startHistoryWriter(pool, SILENT_LOG);
  for (const batch of batches) writer.add(batch);
  await writer.stop(60_000);
  return writer.status();
}

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return (await pool.query<Record<string, unknown>>(sql)).rows;
}

const FAILED_OVER: Partial<RequestSummary> = {
  attempts: 2,
  failedAttempts: [
    {
      number: 1,
      channelId: '01a1fd85-7715-7fed-a767-b935f6226f00',
      upstreamStatus: 502,
      failure: null,
      message: 'CUDA out of memory',
      startedMs: 5,
      durationMs: 40,
    },
  ],
};

it('writes requests with their attempts, and finds each under the time of its id', async () => {
  const request = served(NOON_MS, FAILED_OVER);
  const gone = served(NOON_MS + 2, { status: 'failed', httpStatus: 0, tokens: null });
  expect(await write(batchOf([request, unauthenticated(NOON_MS + 1), gone]))).toMatchObject({
    written: 3,
    dropped: 0,
  });
  expect(
    await rows(
      `select request_id, account_id, code, duration_ms, first_byte_ms, message, client_address,
         array[hold_from_ms, held_ms, attempt_from_ms, settle_from_ms] as phases from requests order by created_at`,
    ),
  ).toMatchObject([
    {
      request_id: request.requestId,
      account_id: IDS.accountId,
      code: null,
      phases: [1, 3, 4, 400],
    },
    { code: 'invalid_api_key', message: 'No such key.', phases: [null, null, null, null] },
    { code: 'client_disconnected' },
  ]);
  const found = await pool.query(
    'select message, upstream_status, started_ms from request_attempts where created_at = $1 and request_id = $2',
    [new Date(NOON_MS), request.requestId],
  );
  expect(found.rows).toEqual([
    { message: 'CUDA out of memory', upstream_status: 502, started_ms: 5 },
  ]);
});

it('sums by hour and day, by what is sold, and by account', async () => {
  await write(
    batchOf([served(NOON_MS), served(NOON_MS + 1, FAILED_OVER)]),
    batchOf([
      served(NOON_MS + 2),
      served(NOON_MS + 3, { model: 'made up', refused: 'model_not_found', tokens: null }),
      unauthenticated(NOON_MS + 4),
    ]),
  );
  const sums = await rows(
    `select grain, model, code, channel_id, requests, failed_attempts, output_tokens, cost_nano_usd,
       streamed_tokens, streamed_ms, first_bytes, durations from request_sums
     where model = 'vendor/model' order by grain, requests`,
  );
  const first = {
    requests: 0,
    failed_attempts: 1,
    channel_id: FAILED_OVER.failedAttempts?.[0]?.channelId,
  };
  const second = {
    requests: 3,
    failed_attempts: 0,
    channel_id: IDS.channelId,
    output_tokens: 150,
    cost_nano_usd: 3_000,
    streamed_tokens: 150,
    streamed_ms: 1_500,
  };
  expect(sums).toMatchObject([
    { grain: 'day', ...first },
    { grain: 'day', ...second },
    { grain: 'hour', ...first },
    { grain: 'hour', ...second },
  ]);
  // 120 ms are between the bounds 100 and 150.
  expect((sums[1]?.['first_bytes'] as number[]).slice(0, 4).map(Number)).toEqual([0, 0, 3, 0]);
  // 620 ms are between the bounds 500 and 700.
  expect((sums[1]?.['durations'] as number[]).slice(5, 9).map(Number)).toEqual([0, 0, 3, 0]);
  expect(
    await rows(
      `select code, requests from request_account_sums where grain = 'hour' order by requests`,
    ),
  ).toMatchObject([
    { code: 'model_not_found', requests: 1 },
    { code: '', requests: 3 },
  ]);
  // Names that nobody sells make no sums of their own.
  expect(await rows(`select distinct model from request_sums where code <> ''`)).toEqual([
    { model: '' },
  ]);
});

it('counts nothing twice when a batch is sent again', async () => {
  const batch = batchOf([served(NOON_MS, FAILED_OVER)]);
  await write(batch, batch);
  expect(await rows('select count(*) from requests')).toEqual([{ count: 1 }]);
  expect(
    await rows(`select sum(requests) as n, sum(failed_attempts) as f from request_sums`),
  ).toMatchObject([{ n: '2', f: '2' }]);
});

it('loses one entry that PostgreSQL refuses, and no other', async () => {
  const { json, entries } = batchOf([1, 2, 3, 4, 5].map((ms) => served(NOON_MS + ms)));
  const text = Buffer.from(json).toString().replace('"httpStatus":200', '"httpStatus":"\\u0000"');
  const poisoned = { json: new TextEncoder().encode(text), entries, summed: 0 };
  expect(await write(poisoned)).toMatchObject({ written: 4, dropped: 1 });
  expect(await rows('select count(*) from requests')).toEqual([{ count: 4 }]);
});

it('keeps entries while PostgreSQL is away, and drops the newest when memory for them is full', async () => {
  const large = { json: new Uint8Array(20 * 1024 * 1024), entries: 7, summed: 0 };
  let isAway = true;
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const query = ((...args: Parameters<pg.Pool['query']>) =>
    isAway ? Promise.reject(away) : pool.query(...args)) as pg.Pool['query'];
  const told: string[] = [];
  const log = { info: () => undefined, warn: (_details: object, text: string) => told.push(text) };
  const writer = startHistoryWriter({ query }, log);
  writer.add(batchOf([served(NOON_MS), served(NOON_MS + 1)]));
  writer.add(large);
  writer.add(large);
  expect(writer.status()).toMatchObject({ dropped: 7, written: 0 });
  await expect.poll(() => told).toHaveLength(1);
  isAway = false;
  await expect.poll(() => writer.status().written).toBe(2);
  expect(await rows('select count(*) from requests')).toEqual([{ count: 2 }]);
  await writer.stop(0);
});

it('makes days ahead of time, and drops one as a whole', async () => {
  const days = await rows(
    `select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'requests'::regclass and c.relname <> 'requests_default' order by 1`,
  );
  expect(days).toHaveLength(4);
  await write(batchOf([served(Date.now())]));
  await pool.query('select drop_request_partition($1)', [days[0]?.['relname']]);
  expect(await rows('select count(*) from requests')).toEqual([{ count: 0 }]);
  await pool.query('select ensure_request_partitions(3)');
});
