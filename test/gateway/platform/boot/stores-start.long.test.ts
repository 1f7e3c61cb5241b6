import { expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { migrationNames } from '../../../../gateway/stores/postgres/migrate.ts';
import { createEmptyDatabase } from '../../../support/postgres.ts';
import { startWeir } from '../../../support/weir.ts';

it('two processes that start together on an empty database migrate and fill it once, and both serve', async () => {
  const database = await createEmptyDatabase();
  const pool = openPool(database.url, { connectionsMax: 1, applicationName: 'test' });
  const env = { DATABASE_URL: database.url, GATEWAY_THREADS: '1' };
  const both = await Promise.all([startWeir(env), startWeir(env)]);
  const { rows } = await pool.query(
    `select (select count(*)::int from users) as users, (select count(*)::int from groups) as groups,
            (select count(*)::int from schema_migrations) as migrations`,
  );
  expect(rows).toEqual([{ users: 1, groups: 4, migrations: migrationNames().length }]);
  const keys = both.map((weir) => /API key +(sk-\w+)/.exec(weir.output())?.[1]);
  expect(keys.filter((key) => key !== undefined)).toHaveLength(1);
  const key = keys.find((shown) => shown !== undefined) ?? '';
  for (const weir of both) {
    const response = await fetch(`${weir.url}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(200);
  }
  expect(await Promise.all(both.map((weir) => weir.end('SIGTERM')))).toEqual([0, 0]);
  await pool.end();
  await database.drop();
});
