import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyCredits } from '../../../../gateway/ledger/apply-credits.ts';
import { createPostgresLedger } from '../../../../gateway/ledger/create-ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { askInBetween } from '../../../support/clocks/in-between.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { addCredit, fund, USD } from '../support/fixtures.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 5, applicationName: 'test' });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

it('a credit that comes while PostgreSQL’s ledger takes an account in is in it afterwards', async () => {
  const { account } = await fund(pool, USD);
  const ledger = createPostgresLedger({ pool, closedMemoryMs: 86_400_000 });
  await askInBetween(
    pool,
    (client) => client.query('select ledger_lock_account($1)', [account.id]),
    async () => {
      await addCredit(pool, account.id, 2 * USD);
      await applyCredits(ledger, pool, account.id);
    },
  );
  expect((await ledger.accountState(account.id))?.availableNanoUsd).toBe(3 * USD);
});
