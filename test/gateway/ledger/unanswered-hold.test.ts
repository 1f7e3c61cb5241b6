import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPostgresLedger } from '../../../gateway/ledger/create-ledger.ts';
import type { Ledger } from '../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../gateway/postgres/connect.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
import { stateOf } from './support/ask.ts';
import { fund, holdOf, USD } from './support/fixtures.ts';

let database: TestDatabase;
let pool: pg.Pool;
let impatientPool: pg.Pool;
let ledger: Ledger;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 5, applicationName: 'test' });
  // It gives a statement up without telling the server, as when the answer is late or lost.
  impatientPool = openPool(`${database.url}?query_timeout=100`, {
    connectionsMax: 5,
    applicationName: 'impatient',
    statementTimeoutMs: 0,
  });
  ledger = createPostgresLedger({ pool: impatientPool });
});

afterAll(async () => {
  await Promise.all([pool.end(), impatientPool.end()]);
  await database.drop();
});

it('a hold that PostgreSQL makes after it was refused for want of an answer is given back, be it a while later', async () => {
  const payer = await fund(pool, 5 * USD);
  const stateNow = () => stateOf({ ledger: createPostgresLedger({ pool }) }, payer.account.id);
  // So that the first try of giving it back fails.
  await pool.query('alter function ledger_release rename to ledger_release_away');
  const before = await pool.connect();
  await before.query('begin');
  await before.query('select ledger_lock_account($1)', [payer.account.id]);
  expect(await ledger.hold(holdOf(payer))).toEqual({
    code: 'ledger_unavailable',
    cause: 'Query read timeout',
  });
  await before.query('commit');
  before.release();
  await expect.poll(stateNow).toEqual([4 * USD, USD, 0, 1]);
  await pool.query('alter function ledger_release_away rename to ledger_release');
  await expect.poll(stateNow, { timeout: 5_000 }).toEqual([5 * USD, 0, 0, 0]);
});
