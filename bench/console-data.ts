/**
 * An installation of a size that makes lists slow, and how quickly the admin API answers on it:
 * `npm run bench:console-data`. With `-- seed <database URL>` it only fills that database, for
 * looking at the console: an access token of an administrator and some ids are printed. PostgreSQL
 * and the admin API run in processes of their own; requests are sent one after another over HTTP.
 * The CPU time of both for each request is printed too: it says the same on a machine that is
 * shared. With other words only lists whose addresses contain one of them are measured.
 */
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import type pg from 'pg';
import { digestOf, newToken } from '../gateway/control-plane/api/callers/opaque-token.ts';
import { openPool } from '../gateway/stores/postgres/connect.ts';
import { migrate } from '../gateway/stores/postgres/migrate.ts';
import { startPostgres } from '../test/support/stores/postgres-server.ts';
import { percentile } from './admin-usage/percentile.ts';
import { seedConsole } from './console-data/seed-console.ts';
import { startOwnServer } from './processes/own-process.ts';
import { postmasterPid } from './processes/postmaster.ts';
import { cpuTimeUs } from './processes/process-tree.ts';

const REPETITIONS = 100;
const WARM_UP = 10;
const P95_MS_MAX = 100;

interface Server {
  readonly ask: (path: string, body?: object) => Promise<unknown>;
  /** CPU time so far of the admin API and PostgreSQL. */
  readonly cpuUs: () => number;
}

/** An administrator's access token. */
async function makeToken(pool: pg.Pool): Promise<string> {
  const token = newToken('weir_pat_');
  await pool.query(
    `with account as (insert into accounts (id, name) values (gen_random_uuid(), 'operator') returning id), person as (
       insert into users (id, account_id, email, password_hash, role)
       select gen_random_uuid(), id, 'operator@example.org', '', 'admin' from account returning id)
     insert into access_tokens (id, user_id, name, scope, digest, prefix)
     select gen_random_uuid(), id, 'bench', 'full', $1, 'weir_pat_' from person`,
    [digestOf(token)],
  );
  return token;
}

interface Measured {
  /** Milliseconds, of each request. */
  readonly times: readonly number[];
  /** CPU milliseconds of the admin API and PostgreSQL, for each request. */
  readonly cpuMs: number;
}

function print(name: string, { times, cpuMs }: Measured, isBound = true): void {
  const sorted = times.toSorted((one, other) => one - other);
  const quantiles = [0.5, 0.95, 1].map((share) => percentile(sorted, share));
  const shown = [...quantiles, cpuMs].map((ms) => ms.toFixed(1).padStart(9));
  const verdict = percentile(sorted, 0.95) <= P95_MS_MAX ? 'met' : 'NOT MET';
  console.log(`${name.padEnd(52)}${shown.join('')}${isBound ? `  ${verdict}` : ''}`);
}

async function measure(server: Server, count: number, send: (turn: number) => Promise<unknown>) {
  const times: number[] = [];
  const beforeUs = server.cpuUs();
  for (let turn = 0; turn < count; turn += 1) {
    const startedMs = performance.now();
    await send(turn);
    times.push(performance.now() - startedMs);
  }
  return { times, cpuMs: (server.cpuUs() - beforeUs) / 1_000 / count };
}

async function measureList(server: Server, path: string): Promise<void> {
  const send = () => server.ask(path);
  await measure(server, WARM_UP, send);
  print(path, await measure(server, REPETITIONS, send));
}

/** Ids that pages and filters are asked by. */
async function idsOf(pool: pg.Pool) {
  const one = async (text: string): Promise<string> =>
    (await pool.query<{ id: string }>(text)).rows[0]?.id ?? '';
  return {
    account: await one('select account_id as id from keys order by id desc limit 1'),
    group: await one('select id from groups order by id limit 1'),
    batch: await one('select id from redemption_batches order by id limit 1'),
    model: await one('select id from models order by id limit 1'),
    channel: await one('select id from channels order by id limit 1'),
  };
}

async function measureLists(
  server: Server,
  pool: pg.Pool,
  words: readonly string[],
): Promise<void> {
  const { account, group, batch, model, channel } = await idsOf(pool);
  const paths = [
    ...[
      '',
      '?sort=name',
      '?sort=-balance',
      '?search=customer%20499',
      '?search=contract%204990',
    ].map((query) => `/accounts${query}`),
    ...[
      '',
      '?sort=name',
      '?sort=-used',
      '?sort=-spend',
      '?search=key%2019999',
      '?status=disabled',
    ].map((query) => `/admin/keys${query}`),
    `/admin/keys?groupId=${group}`,
    `/admin/keys?accountId=${account}`,
    ...['', '?sort=email', '?sort=-login', '?search=person-4999'].map((query) => `/users${query}`),
    ...['', '?sort=name', '?sort=-price', '?search=model-29'].map((query) => `/models${query}`),
    `/models/${model}/prices`,
    '/channels',
    `/channels/${channel}`,
    '/groups',
    `/groups/${group}`,
    `/groups/${group}/accounts`,
    '/redemption-batches',
    `/redemption-codes?batchId=${batch}`,
    '/redemption-codes?status=active',
    '/redemption-codes?sort=status',
    '/invitation-codes',
    '/admin/credits',
    '/admin/orders',
    '/admin/subscriptions',
    ...[
      '',
      '?user=operator-3',
      '?action=createPrice',
      `?subjectId=${account}`,
      '?subject=customer%2049',
    ].map((query) => `/audit-entries${query}`),
    '/admin/requests',
    '/admin/requests?outcome=failed',
    `/admin/requests?accountId=${account}`,
    '/admin/usage-records',
    '/admin/usage-days',
    '/admin/usage-days?by=model',
    `/admin/usage-days?accountId=${account}&by=model`,
    `/accounts/${account}/overview`,
    '/admin/overview',
    '/admin/traffic',
    '/pricing',
  ];
  console.log(
    `${''.padEnd(52)}${['p50', 'p95', 'max', 'CPU'].map((one) => one.padStart(9)).join('')}  ms, bar ${String(P95_MS_MAX)} p95`,
  );
  const isWanted = (path: string) =>
    words.length === 0 || words.some((word) => path.includes(word));
  for (const path of paths.filter(isWanted)) await measureList(server, path);
}

/** Each change is another one than the last: one that changes nothing would cost nothing. */
async function measureBulk(server: Server, pool: pg.Pool): Promise<void> {
  const ids = async (table: string, limit: number): Promise<string[]> =>
    (
      await pool.query<{ id: string }>(`select id from ${table} order by id limit ${String(limit)}`)
    ).rows.map(({ id }) => id);
  const [models, keys, accounts] = [
    await ids('models', 300),
    await ids('keys', 5_000),
    await ids('accounts', 5_000),
  ];
  const cases: readonly [string, string, (turn: number) => object][] = [
    ['preview of 300 prices', 'prices', () => ({ ids: models, percent: '10', dryRun: true })],
    ['300 prices', 'prices', () => ({ ids: models, percent: '1' })],
    ['300 models', 'models', (turn) => ({ ids: models, status: turn % 2 ? 'active' : 'disabled' })],
    ['5,000 keys', 'keys', (turn) => ({ ids: keys, rpm: 100 + turn })],
    ['5,000 accounts', 'accounts', (turn) => ({ ids: accounts, concurrencyMax: 100 + turn })],
    [
      '5,000 credits',
      'accounts',
      () => ({ ids: accounts, credit: { amountUsd: '0.01', reason: 'bench' } }),
    ],
  ];
  console.log('\nbulk changes, 10 each');
  for (const [name, of, body] of cases) {
    const send = (turn: number) => server.ask(`/bulk-changes/${of}`, body(turn));
    print(name, await measure(server, 10, send), false);
  }
}

/** Objects of the data set whose pages are opened: those with the most requests. */
const IDS = `
  with of_key as (select key_id, account_id from requests group by 1, 2 order by count(*) desc limit 1)
  select (select key_id from of_key) as key, (select account_id from of_key) as account,
    (select email from users where account_id = (select account_id from of_key)) as email,
    (select id from groups where name = 'group 1') as "group",
    (select id from models where public_id = 'vendor-1/model-1') as model,
    (select id from channels where name = 'channel 1') as channel,
    (select id from redemption_batches order by id limit 1) as batch,
    (select id from orders where account_id = (select account_id from of_key) limit 1) as "order",
    (select request_id from requests where code = 'upstream_error' and key_id = (select key_id from of_key) limit 1) as request,
    to_char(now(), 'YYYY-MM') as month`;

async function seedOnly(databaseUrl: string): Promise<void> {
  const pool = openPool(databaseUrl, {
    connectionsMax: 2,
    applicationName: 'bench',
    statementTimeoutMs: 0,
  });
  await migrate(pool);
  await seedConsole(pool);
  console.log(await makeToken(pool));
  const { rows } = await pool.query<Record<string, string>>(IDS);
  console.log(JSON.stringify(rows[0]));
  await pool.end();
}

async function main(words: readonly string[]): Promise<void> {
  const postgres = await startPostgres({ fsync: false });
  const pool = openPool(postgres.url, {
    connectionsMax: 2,
    applicationName: 'bench',
    statementTimeoutMs: 0,
  });
  try {
    await migrate(pool);
    const startedMs = performance.now();
    await seedConsole(pool);
    console.log(`seeded in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
    const token = await makeToken(pool);
    const server = await startOwnServer('admin-usage/server-process.ts', [postgres.url]);
    const ask: Server['ask'] = async (path, body) => {
      const response = await fetch(`http://127.0.0.1:${String(server.port)}/api/v1${path}`, {
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
        },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${path}: ${text}`);
      return text;
    };
    const postgresPid = await postmasterPid(pool);
    const measured: Server = {
      ask,
      cpuUs: () => cpuTimeUs(server.pid) + cpuTimeUs(postgresPid),
    };
    await measureLists(measured, pool, words);
    if (words.length === 0) await measureBulk(measured, pool);
    console.log(
      `load average ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}`,
    );
    await server.stop();
  } finally {
    await pool.end();
    await postgres.stop();
  }
}

const words = process.argv.slice(2);
const [mode, databaseUrl] = words;
await (mode === 'seed' && databaseUrl !== undefined ? seedOnly(databaseUrl) : main(words));
