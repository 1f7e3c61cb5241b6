/**
 * Measures how quickly the admin API finds usage: `npm run bench:admin-usage [-- rows]`, by default
 * five million. PostgreSQL and the admin API run in processes of their own; requests are sent one
 * after another over HTTP, as a console does, and the whole time until the reply was read is
 * measured.
 */
import { loadavg } from 'node:os';
import type { RowPosition } from '../gateway/control-plane/api/lists/newest-first.ts';
import { openPool } from '../gateway/stores/postgres/connect.ts';
import { migrate } from '../gateway/stores/postgres/migrate.ts';
import { digestOf, newToken } from '../gateway/control-plane/api/callers/opaque-token.ts';
import { startPostgres } from '../test/support/stores/postgres-server.ts';
import { explainQueries } from './admin-usage/explain-queries.ts';
import { measureExports } from './admin-usage/measure-export.ts';
import { periodsAt, type Periods } from './admin-usage/periods.ts';
import { percentile } from './admin-usage/percentile.ts';
import { seedUsage, type SeededUsage } from './admin-usage/seed-usage.ts';
import { startOwnServer } from './processes/own-process.ts';

const ROWS_DEFAULT = 5_000_000;
/** One account has this share of all rows, and at most so many as the export is asked for. */
const OWN_SHARE = 0.25;
const EXPORT_ROWS = 1_000_000;
const PAGE_ROWS = 50;
const DEEP_PAGE = 1_000;
const REPETITIONS = 200;
const WARM_UP = 20;
/** Repetitions of searches over a year of all accounts, which take long. */
const REPETITIONS_OF_YEARS = 20;
const P95_MS_MAX = 100;

interface Client {
  get(path: string, as: 'owner' | 'admin'): Promise<Response>;
}

interface Page {
  readonly data: readonly { readonly requestId: string }[];
  readonly nextCursor: string | null;
}

/**
 * Asks many times and prints p50, p95 and the worst, and whether p95 is within the bar. `path` may
 * differ each time.
 */
async function measure(
  client: Client,
  name: string,
  options: {
    readonly as: 'owner' | 'admin';
    readonly path: (turn: number) => string;
    readonly repetitions: number;
  },
): Promise<void> {
  const times: number[] = [];
  const warmUp = Math.min(WARM_UP, options.repetitions);
  for (let turn = 0; turn < warmUp + options.repetitions; turn += 1) {
    const startedMs = performance.now();
    const answer = await client.get(options.path(turn), options.as);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${name}: ${text}`);
    if (turn >= warmUp) times.push(performance.now() - startedMs);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const shown = [0.5, 0.95, 1].map((share) => percentile(sorted, share).toFixed(1).padStart(8));
  const verdict = percentile(sorted, 0.95) <= P95_MS_MAX ? 'met' : 'NOT MET';
  console.log(`${name.padEnd(44)}${shown.join('')}  ${verdict}`);
}

/** The cursors around a page far back, found by walking there. */
async function deepCursors(client: Client, as: 'owner' | 'admin', path: string): Promise<string[]> {
  const cursors: string[] = [];
  let cursor = '';
  for (let page = 1; page < DEEP_PAGE + 5; page += 1) {
    const answer = await client.get(`${path}&limit=${String(PAGE_ROWS)}${cursor}`, as);
    const { nextCursor } = (await answer.json()) as Page;
    if (nextCursor === null) throw new Error('too few rows for a page so far back');
    cursor = `&cursor=${nextCursor}`;
    if (page >= DEEP_PAGE - 6) cursors.push(cursor);
  }
  return cursors;
}

function times(n: number, of: (turn: number) => string): (turn: number) => string {
  return (turn) => of(turn % n);
}

/** Returns the position of a cursor; see find-records.ts. */
function positionOf(cursor: string): RowPosition {
  const text = Buffer.from(cursor.replace('&cursor=', ''), 'base64url').toString('utf8');
  const [atUs = '', requestId = ''] = JSON.parse(text) as string[];
  return { atUs, requestId };
}

async function measureAll(
  client: Client,
  seeded: SeededUsage,
  periods: Periods,
): Promise<{ readonly own: RowPosition; readonly everyone: RowPosition }> {
  const own = '/usage-records?';
  const all = '/admin/usage-records?';
  const model = (turn: number) => encodeURIComponent(seeded.models[turn] ?? '');
  const rare = encodeURIComponent(seeded.models.at(-1) ?? '');
  const ownDeep = await deepCursors(client, 'owner', own);
  const allDeep = await deepCursors(client, 'admin', all);
  const month = `from=${periods.month.from}&to=${periods.month.to}`;
  const year = `from=${periods.year.from}&to=${periods.year.to}`;
  const cases: [string, 'owner' | 'admin', (turn: number) => string, repetitions?: number][] = [
    ['own: first page', 'owner', () => own],
    ['own: page 1,000', 'owner', times(ownDeep.length, (turn) => own + (ownDeep[turn] ?? ''))],
    ['own: of a key', 'owner', times(4, (turn) => `${own}keyId=${seeded.keyIds[turn] ?? ''}`)],
    ['own: of a model', 'owner', times(23, (turn) => `${own}model=${model(turn)}`)],
    ['own: of a model asked for once in 10,000', 'owner', () => `${own}model=${rare}`],
    [
      'own: of a group',
      'owner',
      times(5, (turn) => `${own}groupId=${seeded.groupIds[turn] ?? ''}`),
    ],
    ['own: failed', 'owner', () => `${own}status=failed`],
    ['own: a month', 'owner', () => own + month],
    [
      'own: model, key, status and month',
      'owner',
      () => `${own}${month}&status=completed&model=${model(3)}&keyId=${seeded.keyIds[0] ?? ''}`,
    ],
    ['everyone: first page', 'admin', () => all],
    ['everyone: page 1,000', 'admin', times(allDeep.length, (turn) => all + (allDeep[turn] ?? ''))],
    [
      'everyone: of an account',
      'admin',
      times(400, (turn) => `${all}accountId=${seeded.otherAccountIds[turn] ?? ''}`),
    ],
    ['everyone: of a model', 'admin', times(23, (turn) => `${all}model=${model(turn)}`)],
    ['everyone: failed', 'admin', () => `${all}status=failed`],
    ['own: 30 days', 'owner', () => '/usage-days'],
    ['own: 30 days by model', 'owner', () => '/usage-days?by=model'],
    ['own: 30 days by key', 'owner', () => '/usage-days?by=key'],
    ['own: 366 days by model', 'owner', () => `/usage-days?by=model&${year}`],
    ['everyone: 30 days', 'admin', () => '/admin/usage-days'],
    ['everyone: 30 days by model', 'admin', () => '/admin/usage-days?by=model'],
    ['everyone: 30 days by key', 'admin', () => '/admin/usage-days?by=key'],
    ['everyone: 30 days by account', 'admin', () => '/admin/usage-days?by=account'],
    [
      'everyone: 30 days of one model by account',
      'admin',
      () => `/admin/usage-days?by=account&model=${model(3)}`,
    ],
    ...(['model', 'key', 'account'] as const).map((by): (typeof cases)[number] => [
      `everyone: 366 days by ${by}`,
      'admin',
      () => `/admin/usage-days?by=${by}&${year}`,
      REPETITIONS_OF_YEARS,
    ]),
    ['own: summary', 'owner', () => '/usage-summaries/current'],
    ['own: statement of this month', 'owner', () => `/statements/${periods.thisMonth}`],
    ['everyone: overview', 'admin', () => '/admin/overview'],
  ];
  console.log(
    `${''.padEnd(44)}${['p50', 'p95', 'max'].map((one) => one.padStart(8)).join('')}  ms, bar ${String(P95_MS_MAX)} p95`,
  );
  for (const [name, as, path, repetitions = REPETITIONS] of cases)
    await measure(client, name, { as, path, repetitions });
  return { own: positionOf(ownDeep.at(-1) ?? ''), everyone: positionOf(allDeep.at(-1) ?? '') };
}

/** Someone who may ask: a user with an access token. */
async function makeToken(
  pool: ReturnType<typeof openPool>,
  accountId: string,
  role: 'user' | 'admin',
): Promise<string> {
  const token = newToken('weir_pat_');
  await pool.query(
    `with person as (
       insert into users (id, account_id, email, password_hash, role)
       values (gen_random_uuid(), $1, $2 || '@example.org', '', $2) returning id)
     insert into access_tokens (id, user_id, name, scope, digest, prefix)
     select gen_random_uuid(), id, 'bench', 'full', $3, 'weir_pat_' from person`,
    [accountId, role, digestOf(token)],
  );
  return token;
}

async function main(rows: number): Promise<void> {
  const postgres = await startPostgres({ fsync: false });
  const pool = openPool(postgres.url, { connectionsMax: 4, applicationName: 'bench' });
  await pool.query('alter role postgres set statement_timeout = 0');
  const seeder = openPool(postgres.url, { connectionsMax: 1, applicationName: 'bench' });
  await seeder.query('set statement_timeout = 0');
  try {
    await migrate(pool);
    const startedMs = performance.now();
    const ownRows = Math.max(Math.round(rows * OWN_SHARE), Math.min(rows, EXPORT_ROWS));
    const seeded = await seedUsage(seeder, { rows, ownRows });
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    console.log(`${String(rows)} records, ${String(ownRows)} of one account, made in ${seconds} s`);
    const tokens = {
      owner: await makeToken(pool, seeded.accountId, 'user'),
      admin: await makeToken(pool, seeded.accountId, 'admin'),
    };
    const server = await startOwnServer('admin-usage/server-process.ts', [postgres.url]);
    const client: Client = {
      get: (path, as) =>
        fetch(`http://127.0.0.1:${String(server.port)}/api/v1${path}`, {
          headers: { authorization: `Bearer ${tokens[as]}` },
        }),
    };
    const periods = periodsAt(new Date());
    const deepPage = await measureAll(client, seeded, periods);
    await explainQueries(pool, seeded, { deepPage, month: periods.month });
    const exported = { databaseUrl: postgres.url, token: tokens.owner, rows: ownRows };
    await measureExports({ ...exported, warm: server });
    console.log(
      `load average ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}`,
    );
    await server.stop();
  } finally {
    await seeder.end();
    await pool.end();
    await postgres.stop();
  }
}

await main(Number(process.argv[2] ?? ROWS_DEFAULT));
