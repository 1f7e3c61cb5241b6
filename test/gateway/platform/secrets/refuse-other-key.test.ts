import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resealAll } from '../../../../gateway/control-plane/secret-rotations/reseal.ts';
import { ConfigError } from '../../../../gateway/platform/config/config.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { refuseOtherKey } from '../../../../gateway/platform/secrets/refuse-other-key.ts';
import { deriveSecrets } from '../../../../gateway/platform/secrets/secrets.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';

const FIRST = 'the first secret key, for tests only';
const SECOND = 'the second secret key, for tests only';

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

const starts = async (key: string, previous: string | null = null): Promise<string> => {
  try {
    await refuseOtherKey(pool, deriveSecrets(key, previous));
    return 'starts';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};

it('a database belongs to the SECRET_KEY of its first start, until everything is sealed under the next', async () => {
  expect(await starts(FIRST)).toBe('starts');
  expect(await starts(FIRST)).toBe('starts');
  expect(await starts(SECOND)).toMatch(/^SECRET_KEY: is not the one under which this database/);
  expect(await starts(SECOND, FIRST)).toBe('starts');
  // What is stored is still sealed under the first.
  expect(await starts(SECOND)).toMatch(/^SECRET_KEY: /);
  expect(await starts(FIRST)).toBe('starts');
  await resealAll(pool, deriveSecrets(SECOND, FIRST));
  expect(await starts(SECOND)).toBe('starts');
  expect(await starts(FIRST)).toMatch(/^SECRET_KEY: /);
});

it('a database whose key is lost can be taken over as the sentence says', async () => {
  const sentence = await starts('a third secret key, for tests only');
  await pool.query(sentence.slice(sentence.indexOf('update settings')));
  expect(await starts('a third secret key, for tests only')).toBe('starts');
});
