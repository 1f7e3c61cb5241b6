import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../../gateway/admin/api/transaction.ts';
import { openPool } from '../../../gateway/postgres/connect.ts';
import { isAway } from '../../../gateway/postgres/is-away.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

it('a connection that PostgreSQL ends amid a transaction fails it alone: the next one succeeds', async () => {
  const pool = openPool(database.url, { connectionsMax: 1, applicationName: 'breaks' });
  const other = openPool(database.url, { connectionsMax: 1, applicationName: 'test' });
  const broken = inTransaction(pool, async (client) => {
    await client.query('create table t (n integer)');
    await other.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'breaks'`,
    );
    // The connection is told by then, between two of its statements.
    await new Promise((resolve) => setTimeout(resolve, 50));
    await client.query('insert into t values (1)');
    return undefined;
  });
  const failure = await broken.then(() => undefined, asError);
  expect(failure?.message).toMatch(/connection|terminat/i);
  expect(failure && isAway(failure)).toBe(true);
  await inTransaction(pool, async (client) => {
    await client.query('create table t (n integer)');
    return undefined;
  });
  await Promise.all([pool.end(), other.end()]);
});

it('a database that is away is told from one that refuses', async () => {
  const failureOf = async (url: string, statement: string) => {
    const pool = openPool(url, { connectionsMax: 1, applicationName: 'fails' });
    const failure = await pool.query(statement).then(() => undefined, asError);
    await pool.end();
    return failure && isAway(failure);
  };
  // Nothing listens on port 9, which is for discarding.
  expect(await failureOf('postgres://127.0.0.1:9/none', 'select 1')).toBe(true);
  const { url } = database;
  const endOwn = 'select pg_terminate_backend(pg_backend_pid())';
  expect(await failureOf(url, endOwn)).toBe(true);
  expect(await failureOf(url, `set statement_timeout = 5; select pg_sleep(1)`)).toBe(true);
  expect(await failureOf(url, 'select nothing')).toBe(false);
  expect(await failureOf(url, 'select 1 / 0')).toBe(false);
});
