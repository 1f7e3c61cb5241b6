import type { RowPosition } from '../../gateway/control-plane/api/lists/newest-first.ts';
import type pg from 'pg';
import { findRecords } from '../../gateway/control-plane/usage/find-records.ts';
import { readUsageDays } from '../../gateway/control-plane/usage/usage-days.ts';
import type { Periods } from './periods.ts';
import { percentile } from './percentile.ts';
import type { SeededUsage } from './seed-usage.ts';

const REPETITIONS = 40;
const PAGE_ROWS = 50;

interface Explained {
  readonly 'QUERY PLAN': readonly [
    { readonly 'Planning Time': number; readonly 'Execution Time': number },
  ];
}

const noop = (): void => undefined;

/** A database that explains what it is asked instead of answering it. */
function explaining(pool: pg.Pool, times: number[]): pg.Pool {
  const query = async (text: string, values: unknown[]) => {
    // The frame of a transaction is nothing to explain.
    if (!/^\s*(?:select|with)\b/i.test(text)) return { rows: [] };
    const { rows } = await pool.query<Explained>(`explain (analyze, format json) ${text}`, values);
    const plan = rows[0]?.['QUERY PLAN'][0];
    if (plan === undefined) throw new Error('PostgreSQL explained nothing');
    times.push(plan['Planning Time'] + plan['Execution Time']);
    return { rows: [] };
  };
  // The searches use these of pg's many ways to call it.
  const connect = () => Promise.resolve({ query, on: noop, off: noop, release: noop });
  return { query, connect } as unknown as pg.Pool;
}

/**
 * Measures the searches by PostgreSQL's own times of planning and execution: a busy machine delays
 * it less than the path of a whole request.
 */
export async function explainQueries(
  pool: pg.Pool,
  seeded: SeededUsage,
  asked: {
    readonly deepPage: { readonly own: RowPosition; readonly everyone: RowPosition };
    readonly month: Periods['month'];
  },
): Promise<void> {
  const { deepPage, month } = asked;
  const { accountId, keyIds, models } = seeded;
  const page = (filter: Parameters<typeof findRecords>[1], after: RowPosition | null = null) => {
    return (db: pg.Pool) => findRecords(db, filter, { after, limit: PAGE_ROWS + 1 });
  };
  const filter = { accountId, keyId: keyIds[0] ?? '', model: models[3] ?? '' };
  const cases: [string, (db: pg.Pool) => Promise<unknown>][] = [
    ['own: first page', page({ accountId })],
    ['own: page 1,000', page({ accountId }, deepPage.own)],
    ['own: model, key, status and month', page({ ...filter, ...month, status: 'completed' })],
    ['everyone: first page', page({})],
    ['everyone: page 1,000', page({}, deepPage.everyone)],
    ['own: 30 days', (db) => readUsageDays(db, { accountId })],
    ['own: 30 days by model', (db) => readUsageDays(db, { accountId, by: 'model' })],
    ['everyone: 30 days', (db) => readUsageDays(db, {})],
    ['everyone: 30 days by model', (db) => readUsageDays(db, { by: 'model' })],
    ['everyone: 30 days by account', (db) => readUsageDays(db, { by: 'account' })],
  ];
  console.log('\nPlanning and execution, as PostgreSQL explains it');
  for (const [name, search] of cases) {
    const times: number[] = [];
    for (let turn = 0; turn < REPETITIONS; turn += 1) await search(explaining(pool, times));
    const sorted = times.toSorted((one, other) => one - other);
    const shown = [0.5, 0.95, 1].map((share) => percentile(sorted, share).toFixed(1).padStart(8));
    console.log(`${name.padEnd(44)}${shown.join('')}`);
  }
}
