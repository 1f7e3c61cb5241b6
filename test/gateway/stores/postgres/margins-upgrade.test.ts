import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type pg from 'pg';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { migrate, migrationNames } from '../../../../gateway/stores/postgres/migrate.ts';
import { createEmptyDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';

const MIGRATIONS = new URL('../../../../gateway/stores/postgres/migrations/', import.meta.url);
const MARGINS = 'upstream_prices';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createEmptyDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** A database of the version before margins. */
async function migrateUntilMargins(): Promise<void> {
  await pool.query(
    'create table schema_migrations (name text primary key, applied_at timestamptz)',
  );
  for (const name of migrationNames()) {
    if (name.includes(MARGINS)) return;
    await pool.query(readFileSync(new URL(name, MIGRATIONS), 'utf8'));
    await pool.query('insert into schema_migrations values ($1, now())', [name]);
  }
}

it('an upgrade keeps the revenue of before, whose cost is unknown and not 0', async () => {
  await migrateUntilMargins();
  const [accountId, channelId] = [randomUUID(), randomUUID()];
  for (const [day, keys, model] of [
    ['2026-01-31', 2, 'one'],
    ['2026-02-01', 1, 'two'],
  ] as const) {
    for (let key = 0; key < keys; key += 1) {
      await pool.query(
        `insert into usage_daily (day, account_id, key_id, model, group_id, requests, input_tokens, cached_input_tokens,
           cache_write_tokens, output_tokens, reasoning_tokens, cost_nano_usd, balance_nano_usd, subscription_nano_usd, uncollected_nano_usd)
         values ($1, $2, $3, $4, $3, 10, 1, 0, 0, 1, 0, 600, 300, 200, 100)`,
        [day, accountId, randomUUID(), model],
      );
    }
  }
  await pool.query('insert into channels (id, name, base_url) values ($1, $2, $3)', [
    channelId,
    'an upstream of before',
    'https://api.deepseek.com',
  ]);
  await migrate(pool);
  const { rows } = await pool.query(
    `select day::text, model, channel_id as channel, requests, balance_nano_usd as balance,
       subscription_nano_usd as subscription, uncollected_nano_usd as uncollected, known_requests as known,
       upstream_cost_nano_usd as cost
     from margins order by day`,
  );
  const before = { channel: null, known: 0, cost: 0 };
  expect(rows).toEqual([
    {
      day: '2026-01-31',
      model: 'one',
      requests: 20,
      balance: 600,
      subscription: 400,
      uncollected: 200,
      ...before,
    },
    {
      day: '2026-02-01',
      model: 'two',
      requests: 10,
      balance: 300,
      subscription: 200,
      uncollected: 100,
      ...before,
    },
  ]);
  const channels = await pool.query('select balance_api from channels');
  expect(channels.rows).toEqual([{ balance_api: null }]);
});
