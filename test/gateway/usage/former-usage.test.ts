import { randomUUID } from 'node:crypto';
import { USAGE_STATUSES, type UsageRecordJson } from '@weir/shared/watch/usage-record';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Payer } from '../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { insertUsage } from '../../../gateway/ledger/redis/usage/insert-usage.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { fund, holdOf, recordOf, USD } from '../ledger/support/fixtures.ts';

/** Names of Weir 0.1, in Redis entries and stored records. */
const FORMER = {
  client_gone: 'client_disconnected',
  upstream_broke: 'upstream_disconnected',
  money_ran_out: 'funds_exhausted',
  ledger_away: 'ledger_unavailable',
} as const;

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function statusOf(expression: string, status: string): Promise<unknown> {
  const { rows } = await pool.query<{ found: unknown }>(`select ${expression} as found`, [status]);
  return rows[0]?.found;
}

it.each(Object.entries(FORMER))('an entry of Redis with %s is inserted as %s', async (old, now) => {
  const payer = await fund(pool, USD);
  const record = recordOf(holdOf(payer), 5);
  const recordJson = JSON.stringify({ ...record, status: old });
  const entry = { partition: 7, epoch: 0, recordJson, charge: '1795430400000,5,0' };
  expect(await insertUsage(pool, [entry])).toEqual({ added: 1, rejected: 0 });
  const { rows } = await pool.query('select status from usage_records where account_id = $1', [
    payer.account.id,
  ]);
  expect(rows).toEqual([{ status: now }]);
  expect(await statusOf('former_usage_status($1)', now)).toBe(old);
});

/** Returns a record of a version before 0.2: tokens and prices are objects of their own. */
function formerRecord(payer: Payer, costNanoUsd: number): object {
  const { input, cachedInput, cacheWrite, output, reasoning, ...rest } = recordOf(
    holdOf(payer),
    costNanoUsd,
  );
  const { inputNanoUsd, cachedInputNanoUsd, cacheWriteNanoUsd, outputNanoUsd, ...others } = rest;
  const { perCallNanoUsd, ...record } = others;
  const extra = { webSearch: 2 };
  return {
    ...record,
    tokens: { input, cachedInput, cacheWrite, output, reasoning, extra },
    prices: {
      inputNanoUsd,
      cachedInputNanoUsd,
      cacheWriteNanoUsd,
      outputNanoUsd,
      perCallNanoUsd,
      extra: { webSearch: 7 },
    },
  };
}

/** Reads the records of this payer, newest last, without ids and times. */
async function entered(payer: Payer): Promise<unknown[]> {
  const { rows } = await pool.query<{ record: object }>(
    `select to_jsonb(r) - array['request_id', 'created_at', 'settled_at', 'batch'] as record
     from usage_records r where account_id = $1 order by cost_nano_usd`,
    [payer.account.id],
  );
  return rows.map(({ record }) => record);
}

const METERED = { extraMeters: { webSearch: 2 }, extraPrices: { webSearch: 7 } };

it('records that wait in Redis since then are inserted as present ones are, also alongside them', async () => {
  const payer = await fund(pool, USD);
  const present = (costNanoUsd: number) => ({
    ...recordOf(holdOf(payer), costNanoUsd),
    ...METERED,
  });
  const entries = [present(5), formerRecord(payer, 6), present(7)].map((record) => ({
    partition: 7,
    epoch: 0,
    recordJson: JSON.stringify(record),
    charge: `1795430400000,${(record as UsageRecordJson).costNanoUsd},0`,
  }));
  expect(await insertUsage(pool, entries)).toEqual({ added: 3, rejected: 0 });
  const [first, second, third] = (await entered(payer)) as Record<string, unknown>[];
  expect(first).toMatchObject({
    input_tokens: 10,
    reasoning_tokens: 5,
    output_nano_usd: 4_000_000,
    extra_meters: { webSearch: 2 },
    extra_prices: { webSearch: 7 },
  });
  expect(second).toEqual({ ...first, cost_nano_usd: 6, balance_nano_usd: 6 });
  expect(third).toEqual({ ...first, cost_nano_usd: 7, balance_nano_usd: 7 });
});

it.each([
  { by: 'apply_usage', recovered: false },
  { by: 'recover_usage', recovered: true },
])('gateways of then insert by $by what they wrote, and what present ones wrote', async (call) => {
  const payer = await fund(pool, USD);
  const subscription = { id: randomUUID(), startedAtMs: 1_795_430_000_000, amountNanoUsd: 1 };
  const entryOf = (record: object, balanceNanoUsd: number) => ({
    partition: null,
    epoch: null,
    record,
    charge: {
      settledAtMs: 1_795_430_400_000,
      balanceNanoUsd,
      uncollectedNanoUsd: 0,
      subscriptions: [subscription],
    },
  });
  const entries = [
    entryOf({ ...recordOf(holdOf(payer), 5), ...METERED }, 4),
    entryOf(formerRecord(payer, 6), 5),
  ];
  const { rows } = await pool.query(`select ${call.by}($1::jsonb) as added`, [
    JSON.stringify(entries),
  ]);
  expect(rows).toEqual([{ added: 2 }]);
  const [present, former] = (await entered(payer)) as Record<string, unknown>[];
  expect(present).toMatchObject({
    input_tokens: 10,
    extra_meters: { webSearch: 2 },
    balance_nano_usd: 4,
    subscription_nano_usd: 1,
    recovered: call.recovered,
  });
  expect(former).toEqual({ ...present, cost_nano_usd: 6, balance_nano_usd: 5 });
});

it('present names stay, and those that are new have a former one', async () => {
  for (const status of USAGE_STATUSES) {
    expect(await statusOf('usage_status($1)', status)).toBe(status);
    const isRenamed = Object.values<string>(FORMER).includes(status);
    expect((await statusOf('former_usage_status($1)', status)) !== null, status).toBe(isRenamed);
  }
});
