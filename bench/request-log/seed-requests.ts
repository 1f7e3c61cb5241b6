import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** The objects that the measurements search for. */
export interface SeededRequests {
  readonly accountIds: readonly string[];
  readonly keyIds: readonly string[];
  readonly channelIds: readonly string[];
  readonly models: readonly string[];
  readonly requestIds: readonly string[];
}

/** The retention's default. */
const DAYS = 14;
const ACCOUNTS = 500;
const KEYS_PER_ACCOUNT = 4;
const CHANNELS = 8;
const MODELS = 24;
const ROWS_PER_STATEMENT = 250_000;
const SAMPLES = 400;
const DAY_MS = 86_400_000;

/** Days pass and partitions are made ahead of them; a bench has to make those of the past. */
async function makePartitions(pool: pg.Pool): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  for (let back = 0; back < DAYS; back += 1) {
    const from = new Date(today - back * DAY_MS);
    const to = new Date(today - (back - 1) * DAY_MS);
    const day = from.toISOString().slice(0, 10).replaceAll('-', '_');
    for (const table of ['requests', 'request_attempts']) {
      await pool.query(
        `create table ${table}_${day} partition of ${table}
         for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
      );
    }
  }
}

/**
 * Random requests of the last days. The first account has a quarter of them; the 24th model is
 * asked for once in ten thousand. Of every hundred, two are refused, one fails at all upstreams and
 * one is served by a second channel.
 */
const INSERT = `
  with random_rows as materialized (
    select date_trunc('milliseconds', now() - interval '13 days' * random()) as created_at,
      case when random() < 0.25 then 1 else 1 + floor(random() * ${String(ACCOUNTS)})::integer end as a,
      1 + floor(random() * ${String(KEYS_PER_ACCOUNT)})::integer as k, random() as m, random() as s,
      1 + floor(random() * ${String(CHANNELS)})::integer as c
    from generate_series(1, $1::integer)
  ), new_rows as (
    -- As gateways make ids: the time, and something random.
    select created_at, (lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || '7' ||
        substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid as request_id,
      ($2::uuid[])[a] as account_id, ($3::uuid[])[(a - 1) * ${String(KEYS_PER_ACCOUNT)} + k] as key_id,
      ($4::text[])[case when m < 0.0001 then 24 else 1 + floor(power(m, 2) * 23)::integer end] as model,
      ($5::uuid[])[c] as channel_id, ($5::uuid[])[1 + c % ${String(CHANNELS)}] as other_channel_id, s
    from random_rows
  ), inserted as (
    insert into requests (request_id, created_at, account_id, key_id, key_prefix, model, protocol, channel_id, status,
      http_status, code, stream, attempts, duration_ms, first_byte_ms, input_tokens, output_tokens, cost_nano_usd)
    select request_id, created_at, account_id, key_id, 'sk-abcdef', model, 'openai-chat', channel_id,
      case when s < 0.03 then 'failed' else 'completed' end, case when s < 0.02 then 429 when s < 0.03 then 502 else 200 end,
      case when s < 0.0001 then 'ledger_unavailable' when s < 0.02 then 'rate_limit_exceeded' when s < 0.03 then 'upstream_error' end,
      true, case when s < 0.02 then 0 when s < 0.04 then 2 else 1 end, 900, 200, 1000, 200, 4000000
    from new_rows
  )
  insert into request_attempts (request_id, created_at, number, channel_id, upstream_status, message, duration_ms, account_id,
    key_id, model, code)
  select request_id, created_at, 1, other_channel_id, 502, 'CUDA out of memory', 40, account_id, key_id, model,
    case when s < 0.03 then 'upstream_error' end
  from new_rows where s between 0.02 and 0.04`;

/** Takes the searches' indexes away for the time of filling; answers how to make them again. */
async function dropIndexes(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename in ('requests', 'request_attempts') and indexname not like '%pkey'`,
  );
  for (const { name } of rows) await pool.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
}

/** Fills an empty, migrated database. */
export async function seedRequests(pool: pg.Pool, rows: number): Promise<SeededRequests> {
  await makePartitions(pool);
  const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
  const accountIds = ids(ACCOUNTS);
  const keyIds = ids(ACCOUNTS * KEYS_PER_ACCOUNT);
  const channelIds = ids(CHANNELS);
  const models = Array.from({ length: MODELS }, (_value, index) => `vendor/model-${String(index)}`);
  const indexes = await dropIndexes(pool);
  for (let left = rows; left > 0; left -= ROWS_PER_STATEMENT) {
    const now = Math.min(left, ROWS_PER_STATEMENT);
    await pool.query(INSERT, [now, accountIds, keyIds, models, channelIds]);
  }
  for (const index of indexes) await pool.query(index);
  await pool.query('vacuum (analyze) requests');
  await pool.query('vacuum (analyze) request_attempts');
  const sample = await pool.query<{ id: string }>(
    `select request_id as id from requests tablesample system (0.1) limit ${String(SAMPLES)}`,
  );
  const requestIds = sample.rows.map(({ id }) => id);
  return { accountIds, keyIds, channelIds, models, requestIds };
}
