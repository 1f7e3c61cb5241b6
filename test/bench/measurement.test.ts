import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLOCK_MARGIN_MS, recordsBetween } from '../../bench/ground/records-between.ts';
import type { Driver } from '../../bench/load/driver.ts';
import type { LoadOrder, LoadResults } from '../../bench/load/orders.ts';
import type { SaturateOrder } from '../../bench/load/saturate.ts';
import { measure, type Around, type Measurement } from '../../bench/measure/measurement.ts';
import { shortRequest } from '../../bench/requests.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { saturateResult, targetOf, type Statuses } from './support/measurements.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** A driver that has got such replies as soon as it is asked. */
function driverOf(statuses: Statuses): Driver {
  return {
    pid: process.pid,
    drive<Order extends LoadOrder>(): Promise<LoadResults[Order['kind']]> {
      // Asked for nothing else here.
      return Promise.resolve(saturateResult(statuses) as LoadResults[Order['kind']]);
    },
    stop: () => Promise.resolve(),
  };
}

/** Measures a load with such replies. */
async function measured(
  statuses: Statuses,
  around: Partial<Around> = {},
): Promise<Measurement<unknown>> {
  const target = targetOf('weir');
  const order: SaturateOrder = {
    kind: 'saturate',
    destination: target.destination,
    request: shortRequest(['sk-any']),
    connections: 1,
    seconds: 1,
  };
  const load = await measure(target, order, {
    driver: driverOf(statuses),
    pids: {},
    redisScripts: () => Promise.resolve(0),
    untilDone: () => Promise.resolve(performance.now()),
    idleUsPerSecond: 0,
    ...around,
  });
  return load.settleUp();
}

describe('a measurement', () => {
  it('compares what was served with what is in the book', async () => {
    const book = (count: number): Partial<Around> => ({
      recordsBetween: () => Promise.resolve(count),
    });
    const statuses = { 0: 7, 200: 100, 402: 50 };
    expect(await measured(statuses, book(100))).toMatchObject({ unrecorded: 0 });
    expect(await measured(statuses, book(0))).toMatchObject({ unrecorded: 100 });
    // Of what was broken off there is a record too.
    expect(await measured(statuses, book(107))).toMatchObject({ unrecorded: 0 });
  });

  it('expects no book of a proxy', async () => {
    expect(await measured({ 200: 100 })).toMatchObject({ unrecorded: 0 });
  });
});

describe('the book', () => {
  it('is asked for the requests of a time', async () => {
    const add = (createdAtMs: number): Promise<unknown> =>
      pool.query(
        `insert into usage_records
         select (jsonb_populate_record(null::usage_records, jsonb_build_object(
           'request_id', $1::text, 'created_at', from_ms($2::bigint), 'settled_at', from_ms($2::bigint),
           'account_id', $1::text, 'key_id', $1::text, 'group_id', $1::text, 'model', 'any', 'status', 'completed',
           'stream', false, 'estimated', false, 'capped', false, 'recovered', false) ||
           (select jsonb_object_agg(column_name, 1) from information_schema.columns
            where table_name = 'usage_records' and is_nullable = 'NO'
              and data_type in ('bigint', 'integer', 'smallint')))).*`,
        [randomUUID(), createdAtMs],
      );
    const nowMs = Date.now();
    const [fromMs, toMs] = [nowMs + CLOCK_MARGIN_MS, nowMs + CLOCK_MARGIN_MS + 1];
    const outside = [nowMs - 1, toMs + CLOCK_MARGIN_MS + 1];
    for (const createdAtMs of [fromMs, toMs, ...outside]) await add(createdAtMs);
    expect(await recordsBetween(pool, fromMs, toMs)).toBe(2);
  });
});
