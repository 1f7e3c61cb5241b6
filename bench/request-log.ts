/**
 * Measures how quickly requests are found in the request log: `npm run bench:request-log [--
 * rows]`, by default five million. Searches are those of the admin API, one after another; the time
 * of each is taken until its rows are there.
 */
import type { RequestPosition } from '../gateway/control-plane/requests/request-sort.ts';
import { loadavg } from 'node:os';
import {
  findRequest,
  findRequests,
  type RequestFilter,
} from '../gateway/control-plane/requests/find-requests.ts';
import { openPool } from '../gateway/stores/postgres/connect.ts';
import { migrate } from '../gateway/stores/postgres/migrate.ts';
import { startPostgres } from '../test/support/stores/postgres-server.ts';
import { percentile } from './admin-usage/percentile.ts';
import { seedRequests, type SeededRequests } from './request-log/seed-requests.ts';

const ROWS_DEFAULT = 5_000_000;
const PAGE_ROWS = 51;
const REPETITIONS = 200;
const WARM_UP = 20;
const P95_MS_MAX = 100;
const HOUR_MS = 3_600_000;

type Pool = ReturnType<typeof openPool>;

async function measure(name: string, search: (turn: number) => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let turn = 0; turn < WARM_UP + REPETITIONS; turn += 1) {
    const startedMs = performance.now();
    await search(turn);
    if (turn >= WARM_UP) times.push(performance.now() - startedMs);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const shown = [0.5, 0.95, 1].map((share) => percentile(sorted, share).toFixed(1).padStart(8));
  const verdict = percentile(sorted, 0.95) <= P95_MS_MAX ? 'met' : 'NOT MET';
  console.log(`${name.padEnd(44)}${shown.join('')}  ${verdict}`);
}

function filters({ accountIds, keyIds, channelIds, models }: SeededRequests) {
  const of = <Value>(values: readonly Value[], turn: number): Value =>
    values[turn % values.length] as Value;
  const [largest = ''] = accountIds;
  const weekAgo = new Date(Date.now() - 168 * HOUR_MS).toISOString();
  const cases: [string, (turn: number) => RequestFilter][] = [
    ['newest', () => ({})],
    ['failed', () => ({ outcome: 'failed' })],
    ['of the largest account', () => ({ accountId: largest })],
    ['of an account', (turn) => ({ accountId: of(accountIds, turn) })],
    ['of an account, failed', (turn) => ({ accountId: of(accountIds, turn), outcome: 'failed' })],
    [
      'of the largest account, a code once in 10,000',
      () => ({ accountId: largest, code: 'ledger_unavailable' }),
    ],
    ['of a key', (turn) => ({ keyId: of(keyIds, turn) })],
    ['of a model', (turn) => ({ model: of(models, turn) })],
    ['of a model asked for once in 10,000', () => ({ model: models.at(-1) ?? '' })],
    ['of a model, failed', (turn) => ({ model: of(models, turn), outcome: 'failed' })],
    ['of a channel', (turn) => ({ channelId: of(channelIds, turn) })],
    ['of a channel, failed', (turn) => ({ channelId: of(channelIds, turn), outcome: 'failed' })],
    ['of a code', () => ({ code: 'upstream_error' })],
    ['of a code that is nowhere', () => ({ code: 'shutting_down' })],
    ['of an account, a week ago', (turn) => ({ accountId: of(accountIds, turn), to: weekAgo })],
    [
      'of an account, a rare model',
      (turn) => ({ accountId: of(accountIds, turn), model: models.at(-1) ?? '' }),
    ],
    [
      'of an account and a channel',
      (turn) => ({ accountId: of(accountIds, turn), channelId: of(channelIds, turn) }),
    ],
  ];
  return cases;
}

async function measureAll(pool: Pool, seeded: SeededRequests): Promise<void> {
  console.log(
    `${''.padEnd(44)}${['p50', 'p95', 'max'].map((one) => one.padStart(8)).join('')}  ms, bar ${String(P95_MS_MAX)} p95`,
  );
  const { requestIds } = seeded;
  await measure('by request id', (turn) =>
    findRequest(pool, requestIds[turn % requestIds.length] ?? ''),
  );
  for (const [name, filter] of filters(seeded)) {
    await measure(name, (turn) =>
      findRequests(pool, filter(turn), { sort: '-created', after: null, limit: PAGE_ROWS }),
    );
  }
  for (const sort of ['-duration', '-cost'] as const) {
    await measure(`sorted by ${sort}`, () =>
      findRequests(pool, {}, { sort, after: null, limit: PAGE_ROWS }),
    );
  }
  let after: RequestPosition['after'] = null;
  await measure('page after page', async () => {
    const rows = await findRequests(pool, {}, { sort: '-created', after, limit: PAGE_ROWS });
    const last = rows.at(-1);
    after = last === undefined ? null : { value: last.atUs, requestId: last.requestId };
  });
}

async function main(rows: number): Promise<void> {
  const postgres = await startPostgres({ fsync: false });
  const pool = openPool(postgres.url, {
    connectionsMax: 1,
    applicationName: 'bench',
    statementTimeoutMs: 0,
  });
  try {
    await migrate(pool);
    const startedMs = performance.now();
    const seeded = await seedRequests(pool, rows);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    const size = await pool.query<{ bytes: number }>(
      `select sum(pg_total_relation_size(inhrelid))::bigint as bytes from pg_inherits
       where inhparent in ('requests'::regclass, 'request_attempts'::regclass)`,
    );
    const each = Math.round((size.rows[0]?.bytes ?? 0) / rows);
    console.log(`${String(rows)} requests made in ${seconds} s, ${String(each)} bytes each`);
    await measureAll(pool, seeded);
    const load = loadavg().map((one) => one.toFixed(1));
    console.log(`load average ${load.join(' ')}`);
  } finally {
    await pool.end();
    await postgres.stop();
  }
}

await main(Number(process.argv[2] ?? ROWS_DEFAULT));
