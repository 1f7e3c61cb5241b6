import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { closeUsageDays } from '../../gateway/control-plane/usage/close-days.ts';

/** The objects that the measurements search for. */
export interface SeededUsage {
  /** Has `ownRows` records; the other accounts share the rest. */
  readonly accountId: string;
  readonly keyIds: readonly string[];
  readonly groupIds: readonly string[];
  readonly models: readonly string[];
  readonly otherAccountIds: readonly string[];
}

export interface UsageSize {
  readonly rows: number;
  /** Records of the one account that pages, filters and exports. */
  readonly ownRows: number;
}

const ACCOUNTS = 500;
const KEYS_PER_ACCOUNT = 4;
const GROUPS = 5;
const MODELS = 24;
/** The retention's default. */
const MONTHS = 13;
const ROWS_PER_STATEMENT = 250_000;

/** Months pass and partitions are made ahead of them; a bench has to make those of the past. */
async function makePartitions(pool: pg.Pool): Promise<void> {
  const now = new Date();
  for (let back = 1; back < MONTHS; back += 1) {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back + 1, 1));
    const name = `usage_records_${from.toISOString().slice(0, 7).replace('-', '_')}`;
    await pool.query(
      `create table ${name} partition of usage_records
       for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
    );
  }
}

async function makeOwners(pool: pg.Pool): Promise<SeededUsage> {
  const accountIds = Array.from({ length: ACCOUNTS }, () => randomUUID());
  const groupIds = Array.from({ length: GROUPS }, () => randomUUID());
  const models = Array.from({ length: MODELS }, (_value, index) => `vendor/model-${String(index)}`);
  await pool.query(
    `insert into accounts (id, name) select id, 'account ' || n
     from unnest($1::uuid[]) with ordinality as a(id, n)`,
    [accountIds],
  );
  await pool.query(
    `insert into groups (id, name) select id, 'group ' || n
     from unnest($1::uuid[]) with ordinality as g(id, n)`,
    [groupIds],
  );
  await pool.query(
    `insert into keys (id, account_id, group_id, name, digest, prefix)
     select gen_random_uuid(), a.id, ($2::uuid[])[1 + (a.n + k) % ${String(GROUPS)}], 'key ' || k,
       sha256((a.id::text || k)::bytea), 'sk-000000'
     from unnest($1::uuid[]) with ordinality as a(id, n)
     cross join generate_series(1, ${String(KEYS_PER_ACCOUNT)}) as k`,
    [accountIds, groupIds],
  );
  const [accountId = '', ...otherAccountIds] = accountIds;
  const { rows } = await pool.query<{ id: string }>('select id from keys where account_id = $1', [
    accountId,
  ]);
  return { accountId, keyIds: rows.map(({ id }) => id), groupIds, models, otherAccountIds };
}

/**
 * Random records: times over thirteen months, more of them lately; of every hundred, three did not
 * complete; the 24th model is asked for once in ten thousand.
 */
const INSERT = `
  with owner as materialized (
    select array_agg(id order by id) as keys, array_agg(account_id order by id) as accounts,
      array_agg(group_id order by id) as groups, count(*)::integer as count
    from keys where ($3::uuid is null or account_id = $3) and ($4::uuid is null or account_id <> $4)
  ), random_rows as materialized (
    select 1 + floor(random() * count)::integer as k, now() - interval '395 days' * power(random(), 1.5) as created_at,
      random() as m, random() as s, 200 + floor(random() * 4000)::bigint as input, floor(random() * 1500)::bigint as output
    from owner, generate_series(1, $1::integer)
  ), new_rows as (
    select gen_random_uuid() as request_id, date_trunc('milliseconds', created_at) as created_at, accounts[k] as account_id,
      keys[k] as key_id, groups[k] as group_id,
      ($2::text[])[case when m < 0.0001 then 24 else 1 + floor(power(m, 2) * 23)::integer end] as model,
      case when s < 0.02 then 'client_disconnected' when s < 0.03 then 'failed' else 'completed' end as status, input, output,
      input * 2000 + output * 10000 as cost
    from random_rows, owner
  )
  insert into usage_records (request_id, created_at, account_id, key_id, group_id, model, status, http_status, stream,
    input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
    input_nano_usd, cached_input_nano_usd, cache_write_nano_usd, output_nano_usd, per_call_nano_usd, multiplier_ppm,
    cost_nano_usd, balance_nano_usd, subscription_nano_usd, uncollected_nano_usd,
    estimated, capped, attempts, latency_ms, first_byte_ms, settled_at, recovered, batch)
  select request_id, created_at, account_id, key_id, group_id, model, status, 200, true, input, 0, 0, output, 0,
    2000000000, 2000000000, 2000000000, 10000000000, 0, 1000000, cost, cost, 0, 0, false, false, 1,
    300 + (input % 2000)::integer, 150, created_at + interval '1 second', false, 1
  from new_rows`;

/** Day after day, as they come about. */
const SUM_DAYS = `
  insert into usage_daily
  select (created_at at time zone 'UTC')::date, account_id, key_id, model, group_id, count(*), sum(input_tokens), 0, 0,
    sum(output_tokens), 0, sum(cost_nano_usd), sum(balance_nano_usd), 0, 0
  from usage_records group by 1, 2, 3, 4, 5 order by 1`;

/**
 * Takes the searches' indexes away for the time of filling, which is five times as quick; answers
 * how to make them again.
 */
async function dropIndexes(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'usage_records' and indexname <> 'usage_records_pkey'`,
  );
  for (const { name } of rows) await pool.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
}

/** Fills an empty, migrated database. */
export async function seedUsage(pool: pg.Pool, size: UsageSize): Promise<SeededUsage> {
  await makePartitions(pool);
  const seeded = await makeOwners(pool);
  const indexes = await dropIndexes(pool);
  const insert = async (rows: number, only: string | null, except: string | null) => {
    for (let left = rows; left > 0; left -= ROWS_PER_STATEMENT) {
      const now = Math.min(left, ROWS_PER_STATEMENT);
      await pool.query(INSERT, [now, seeded.models, only, except]);
    }
  };
  await insert(size.ownRows, seeded.accountId, null);
  await insert(size.rows - size.ownRows, null, seeded.accountId);
  for (const index of indexes) await pool.query(index);
  await pool.query(SUM_DAYS);
  await pool.query('vacuum (analyze) usage_records');
  await closeUsageDays({ pool });
  const books = ['usage_daily', 'usage_model_sums', 'usage_key_sums', 'usage_account_sums'];
  for (const table of [...books, 'usage_open_days']) await pool.query(`vacuum (analyze) ${table}`);
  return seeded;
}
