import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../../../gateway/control-plane/api/transaction.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { repeatCollided } from '../../../../gateway/stores/postgres/repeat-collided.ts';
import { createEmptyDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createEmptyDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  await pool.query('create table counters (id integer primary key, count integer)');
  await pool.query('insert into counters values (1, 0), (2, 0)');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const INCREASE = 'update counters set count = count + 1 where id = $1';

it('a transaction that PostgreSQL has rolled back as it deadlocked is done after all, once', async () => {
  const bothLocked = Promise.withResolvers<undefined>();
  let locked = 0;
  let begun = 0;
  const increase = (order: readonly number[]) =>
    inTransaction(pool, async (client) => {
      begun += 1;
      for (const [index, id] of order.entries()) {
        await client.query(INCREASE, [id]);
        if (index > 0) continue;
        locked += 1;
        if (locked === 2) bothLocked.resolve(undefined);
        await bothLocked.promise;
      }
      return undefined;
    });
  await Promise.all([increase([1, 2]), increase([2, 1])]);
  expect(begun).toBe(3);
  expect((await pool.query('select count from counters')).rows).toEqual([
    { count: 2 },
    { count: 2 },
  ]);
});

it('is not repeated for ever, and another error not at all', async () => {
  let attempts = 0;
  const fail = (code: string) => () => {
    attempts += 1;
    return Promise.reject(Object.assign(new Error(code), { code }));
  };
  await expect(repeatCollided(fail('40001'))).rejects.toThrow('40001');
  expect(attempts).toBe(4);
  await expect(repeatCollided(fail('23505'))).rejects.toThrow('23505');
  expect(attempts).toBe(5);
});
