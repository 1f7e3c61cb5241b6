import type pg from 'pg';
import { closeUsageDays } from '../../gateway/control-plane/usage/close-days.ts';

/** The installation that lists, charts and bulk changes of the console are measured on. */
export const CONSOLE_DATA = {
  accounts: 5_001,
  keys: 20_001,
  models: 300,
  channels: 60,
  groups: 12,
  requests: 200_000,
  auditEntries: 20_000,
  orders: 20_000,
  subscriptions: 2_000,
  alertEvents: 5_000,
} as const;

/** The days that requests and usage are spread over: the retention of the request log. */
const DAYS = 14;
const DAY_MS = 86_400_000;
const SEED = 0.42;
/** Keys of the second account, that of a customer with a long list of its own. */
const KEYS_OF_ONE = 200;
/** Requests that are entered at once. */
const BATCH = 5_000;

/** Ids as Weir makes them: they begin with the time, so that they sort by it. */
const ID = (what: string, number: string, at: string): string => `
  (lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' ||
    substr(md5('${what}' || ${number}), 1, 3) || '8' || substr(md5('${what}' || ${number}), 4, 15))::uuid`;

const AT = (number: string, count: number): string =>
  `(now() - interval '300 days' + interval '300 days' * ${number} / ${String(count)})`;

const {
  accounts,
  keys,
  models,
  channels,
  groups,
  requests,
  auditEntries,
  orders,
  subscriptions,
  alertEvents,
} = CONSOLE_DATA;

/** Objects, and one row in `made` for each request. */
const OBJECTS: readonly string[] = [
  `select setseed(${String(SEED)})`,
  `insert into accounts (id, name, status, balance_nano_usd, created_at, note)
   select ${ID('account', 'n', AT('n', accounts))}, 'Customer ' || n,
     case when n % 50 = 0 then 'suspended' else 'active' end, (random() * 1e12)::bigint, ${AT('n', accounts)},
     case when n % 10 = 0 then 'pays by invoice, contract ' || n else '' end
   from generate_series(1, ${String(accounts)}) n`,
  `insert into users (id, account_id, email, password_hash, role, last_login_at, created_at)
   select ${ID('user', 'n', 'created_at')}, id, 'person-' || n || '@customer-' || n % 700 || '.example',
     coalesce((select password_hash from users where role = 'admin' limit 1), ''), 'user', now() - random() * interval '90 days', created_at
   from (select id, created_at, row_number() over (order by id) n from accounts where id not in (select account_id from users)) a`,
  `insert into groups (id, name, multiplier_ppm, sort_order)
   select ${ID('group', 'n', AT('n', groups))}, 'group ' || n, 500000 + n * 50000, n
   from generate_series(1, ${String(groups)}) n`,
  `insert into models (id, public_id, display_name, vendor, context_tokens_max, output_tokens_max, sort_order)
   select ${ID('model', 'n', AT('n', models))}, 'vendor-' || n % 12 || '/model-' || n, 'Model ' || n, 'Vendor ' || n % 12,
     200000, 32000, n
   from generate_series(1, ${String(models)}) n`,
  `insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd, cache_write_nano_usd, output_nano_usd)
   select m.id, now() - interval '1 day' * age, 1000000000 + (random() * 9e9)::bigint, 500000000, 1500000000, 20000000000
   from models m cross join generate_series(10, 50, 10) age`,
  `insert into group_models (group_id, model_id)
   select g.id, m.id from groups g cross join models m where hashtext(g.name || m.public_id) % 2 = 0
   on conflict do nothing`,
  `insert into channels (id, name, kind, base_url, priority, weight)
   select ${ID('channel', 'n', AT('n', channels))}, 'channel ' || n, 'openai', 'https://upstream-' || n || '.example/v1',
     n % 5, 1 + n % 20
   from generate_series(1, ${String(channels)}) n`,
  `insert into channel_models (channel_id, model_id, upstream_name)
   select c.id, m.id, m.public_id from channels c cross join models m where hashtext(c.name || m.public_id) % 4 = 0
   on conflict do nothing`,
  `insert into keys (id, account_id, group_id, name, digest, prefix, status, last_used_at, created_at)
   select ${ID('key', 'n', AT('n', keys))}, a.ids[case when n <= ${String(KEYS_OF_ONE)} then 2 else 1 + n % ${String(accounts)} end],
     g.ids[1 + n % ${String(groups)}], 'key ' || n, sha256(('key' || n)::bytea), 'sk-' || lpad(n::text, 6, '0'),
     case when n % 40 = 0 then 'disabled' else 'active' end, case when n % 3 > 0 then now() - random() * interval '30 days' end, ${AT('n', keys)}
   from generate_series(1, ${String(keys)}) n,
     (select array_agg(id order by id) ids from accounts where name like 'Customer %') a,
     (select array_agg(id order by id) ids from groups where name like 'group %') g`,
  `insert into key_spend (key_id, period, period_start, spent_nano_usd)
   select id, 'month', period_start('month', now()), (random() * 1e10)::bigint from keys where last_used_at is not null`,
  // A few keys make most requests, as everywhere.
  `create temporary table drawn as
   select n, date_trunc('milliseconds', now() - interval '${String(DAYS - 1)} days' * random()) as created_at,
     k.ids[1 + floor(power(random(), 3) * ${String(keys)})::integer] as key_id,
     1 + floor(power(random(), 2) * ${String(models)})::integer as m, 1 + floor(random() * ${String(channels)})::integer as c, random() as s
   from generate_series(1, ${String(requests)}) n,
     (select array_agg(id order by id) ids from keys where name like 'key %') k`,
  `create temporary table made as
   select d.n, ${ID('request', 'n', 'd.created_at')} as request_id, d.created_at, k.account_id, d.key_id, k.group_id, k.prefix,
     'vendor-' || d.m % 12 || '/model-' || d.m as model, ch.ids[d.c] as channel_id, d.s,
     200 + floor(d.s * 4000)::bigint as input, floor(d.s * 1500)::bigint as output
   from drawn d join keys k on k.id = d.key_id,
     (select array_agg(id order by id) ids from channels where name like 'channel %') ch`,
];

/** The requests $1 to $2, as gateways enter them: the sums that charts read are made with them. */
const ENTER = `
  select enter_requests(json_agg(json_build_object('requestId', request_id, 'at', floor(extract(epoch from created_at) * 1000)::bigint,
    'accountId', account_id, 'keyId', key_id, 'groupId', group_id, 'keyPrefix', prefix, 'model', model, 'protocol', 'openai-chat',
    'channelId', channel_id, 'status', case when s < 0.03 then 'failed' else 'completed' end,
    'httpStatus', case when s < 0.02 then 429 when s < 0.03 then 502 else 200 end,
    'refused', case when s < 0.02 then 'rate_limit_exceeded' when s < 0.03 then 'upstream_error' end, 'stream', true, 'attempts', 1,
    'latencyMs', 300 + floor(s * 9000), 'firstByteMs', 100 + floor(s * 900), 'inputTokens', input, 'outputTokens', output,
    'costNanoUsd', case when s < 0.03 then 0 else input * 2000 + output * 10000 end, 'phases', array[1, 3, 4, 300 + floor(s * 9000)],
    'failures', case when s between 0.02 and 0.04 then json_build_array(json_build_object('number', 1, 'channelId', channel_id,
      'upstreamStatus', 503, 'failure', 'upstream_error', 'message', 'The engine is overloaded.', 'startedMs', 4, 'durationMs', 90)) end)))
  from made where n between $1 and $2`;

/** Bills, their sums, and what is bought and written down. */
const BOOKS: readonly string[] = [
  `insert into usage_records (request_id, created_at, account_id, key_id, group_id, model, channel_id, status, http_status, stream,
     input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
     input_nano_usd, cached_input_nano_usd, cache_write_nano_usd, output_nano_usd, per_call_nano_usd, multiplier_ppm,
     cost_nano_usd, balance_nano_usd, subscription_nano_usd, uncollected_nano_usd,
     estimated, capped, attempts, latency_ms, first_byte_ms, settled_at, recovered, batch)
   select request_id, created_at, account_id, key_id, group_id, model, channel_id, 'completed', 200, true,
     input, 0, 0, output, 0, 2000000000, 2000000000, 2000000000, 10000000000, 0, 1000000,
     input * 2000 + output * 10000, input * 2000 + output * 10000, 0, 0, false, false, 1, 900, 200,
     created_at + interval '1 second', false, 1
   from made where s >= 0.03`,
  `insert into usage_daily
   select (created_at at time zone 'UTC')::date, account_id, key_id, model, group_id, count(*), sum(input_tokens), 0, 0,
     sum(output_tokens), 0, sum(cost_nano_usd), sum(balance_nano_usd), 0, 0
   from usage_records group by 1, 2, 3, 4, 5 order by 1`,
  // Never removed: an installation has as many rows of days as its keys have used days.
  `insert into key_spend (key_id, period, period_start, spent_nano_usd)
   select key_id, 'day', day::timestamp at time zone 'UTC', sum(cost_nano_usd) from usage_daily group by 1, 3`,
  `insert into margin_sums
   select (created_at at time zone 'UTC')::date, account_id, model, channel_id, count(*), sum(balance_nano_usd), 0, 0,
     count(*), sum(balance_nano_usd), 0, sum(balance_nano_usd) * 6 / 10
   from usage_records group by 1, 2, 3, 4`,
  `insert into credits (account_id, sequence, entry_id, amount_nano_usd, kind, reason, actor, created_at)
   select id, 1, 'bench:' || id, 1000000000, 'top_up', 'bench', 'system', created_at from accounts where credit_sequence = 0`,
  'update accounts set credit_sequence = 1 where credit_sequence = 0',
  `insert into plans (id, name, price_nano_usd) select ${ID('plan', 'n', AT('n', 5))}, 'plan ' || n, n * 10000000000
   from generate_series(1, 5) n`,
  `insert into subscriptions (id, account_id, plan_id, started_at, ends_at, allowances, group_ids)
   select ${ID('subscription', 'n', AT('n', subscriptions))}, a.ids[1 + n], p.ids[1 + n % 5], now() - interval '10 days',
     now() + interval '1 hour' * n, '[{"window": "month", "limitNanoUsd": 60000000000}]', '{}'
   from generate_series(1, ${String(subscriptions)}) n,
     (select array_agg(id order by id) ids from accounts where name like 'Customer %') a,
     (select array_agg(id order by id) ids from plans where name like 'plan %') p`,
  `insert into orders (id, account_id, user_id, kind, amount_nano_usd, status, payment_intent_id, paid_at, created_at, reversals_due_at)
   select ${ID('order', 'n', AT('n', orders))}, u.account_id, u.id, 'top_up', 20000000000, case when n % 9 = 0 then 'expired' else 'paid' end,
     'pi_' || n, case when n % 9 > 0 then ${AT('n', orders)} end, ${AT('n', orders)}, null
   from generate_series(1, ${String(orders)}) n
   join (select id, account_id, row_number() over (order by id) number from users where role = 'user') u
     on u.number = 1 + n % ${String(accounts)}`,
  `insert into alert_events (id, rule_name, kind, subjects, created_at)
   select ${ID('event', 'n', AT('n', alertEvents))}, 'Upstreams', case when n % 2 = 0 then 'resolved' else 'fired' end,
     json_build_array(json_build_object('id', c.ids[1 + n % ${String(channels)}], 'name', 'channel ' || n % ${String(channels)}, 'value', '5')),
     ${AT('n', alertEvents)}
   from generate_series(1, ${String(alertEvents)}) n,
     (select array_agg(id order by id) ids from channels where name like 'channel %') c`,
  `insert into audit_entries (at, user_id, user_email, by, address, request_id, action, subject_kind, subject_id, before, after)
   select now() - interval '200 days' * (1 - n::float / ${String(auditEntries)}), u.ids[1 + n % 5], 'operator-' || n % 5 || '@example.org',
     'session', '192.0.2.1', 'bench-' || n, (array['updateAccount', 'updateKeyOfAnyone', 'createPrice', 'updateChannel'])[1 + n % 4],
     (array['account', 'key', 'model', 'channel'])[1 + n % 4], a.ids[1 + n % ${String(accounts)}]::text,
     '{"status":"active"}', '{"status":"disabled"}'
   from generate_series(1, ${String(auditEntries)}) n, (select array_agg(id order by id) ids from users) u,
     (select array_agg(id order by id) ids from accounts) a`,
  `insert into redemption_batches (id, name, kind, amount_nano_usd)
   select ${ID('batch', 'n', AT('n', 20))}, 'campaign ' || n, 'balance', 5000000000 from generate_series(1, 20) n`,
  `insert into redemption_codes (id, batch_id, digest, sealed, hint)
   select ${ID('code', 'n', AT('n', 10_000))}, b.ids[1 + n % 20], sha256(('code' || n)::bytea), '', right('000' || n, 4)
   from generate_series(1, 10000) n, (select array_agg(id order by id) ids from redemption_batches) b`,
];

/** Partitions are made ahead of time; those of the past are missing in a new database. */
async function makePartitions(db: pg.ClientBase): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  for (let back = 0; back < DAYS; back += 1) {
    const from = new Date(today - back * DAY_MS);
    const to = new Date(today - (back - 1) * DAY_MS);
    const day = from.toISOString().slice(0, 10).replaceAll('-', '_');
    for (const table of ['requests', 'request_attempts']) {
      await db.query(
        `create table if not exists ${table}_${day} partition of ${table}
         for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
      );
    }
  }
  const now = new Date();
  const month = (ahead: number): Date =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
  const name = month(-1).toISOString().slice(0, 7).replace('-', '_');
  await db.query(
    `create table if not exists usage_records_${name} partition of usage_records
     for values from ('${month(-1).toISOString()}') to ('${month(0).toISOString()}')`,
  );
}

/**
 * Fills a migrated database with the same data each time, relative to now; it is empty or has what
 * a first start enters.
 */
export async function seedConsole(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await makePartitions(client);
    for (const statement of OBJECTS) await client.query(statement);
    for (let from = 1; from <= requests; from += BATCH) {
      await client.query(ENTER, [from, from + BATCH - 1]);
    }
    for (const statement of BOOKS) await client.query(statement);
    await client.query('drop table drawn, made');
  } finally {
    client.release();
  }
  await closeUsageDays({ pool });
  await pool.query('vacuum (analyze)');
}
