import { USAGE_STATUSES } from '@weir/shared/usage-record';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { insertUsage } from '../../../gateway/usage/insert-usage.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
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

it('present names stay, and those that are new have a former one', async () => {
  for (const status of USAGE_STATUSES) {
    expect(await statusOf('usage_status($1)', status)).toBe(status);
    const isRenamed = Object.values<string>(FORMER).includes(status);
    expect((await statusOf('former_usage_status($1)', status)) !== null, status).toBe(isRenamed);
  }
});
