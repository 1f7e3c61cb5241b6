import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../../gateway/admin/api/transaction.ts';
import { openPool } from '../../../gateway/postgres/connect.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

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
  await expect(broken).rejects.toThrow(/connection|terminat/i);
  await inTransaction(pool, async (client) => {
    await client.query('create table t (n integer)');
    return undefined;
  });
  await Promise.all([pool.end(), other.end()]);
});
