import { Readable } from 'node:stream';
import type pg from 'pg';
import { csvHeader, csvLine } from '@weir/shared/csv';
import type { UsageDayList, UsageDayView } from '@weir/shared/watch/usage';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { ChartQuery, DayRange } from './chart-statement.ts';
import { eachDay, readRange } from './day-range.ts';
import { readDays } from './usage-days.ts';

const HEADER = csvHeader([
  'day',
  'hour',
  'id',
  'name',
  'requests',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'cost_usd',
]);

function lineOf(row: UsageDayView): string {
  const { day, hour, of, label, costUsd } = row;
  const counts = [row.requests, row.inputTokens, row.cachedInputTokens, row.outputTokens];
  return csvLine([day, String(hour ?? ''), of ?? '', label ?? '', ...counts.map(String), costUsd]);
}

const linesOf = ({ data }: UsageDayList): string => data.map(lineOf).join('');

async function* lines(
  pool: pg.Pool,
  query: ChartQuery,
  { first, rest }: { readonly first: UsageDayList; readonly rest: readonly DayRange[] },
): AsyncGenerator<string> {
  yield HEADER + linesOf(first);
  for (const day of rest) {
    const read = await readDays(pool, query, { range: day, splitMax: 'all' });
    // The connection is broken off, so that a part is never taken for the whole.
    if ('refused' in read) throw new Error(read.message);
    yield linesOf(read);
  }
}

/**
 * Returns the days of a chart as CSV, oldest first, with every part that the days are split into.
 * Each day is read when the reader takes it. What is wrong with the query shows in the first.
 */
export async function exportDays(pool: pg.Pool, query: ChartQuery): Promise<Readable | Refusal> {
  const range = readRange(query);
  if ('refused' in range) return range;
  const [day = range, ...rest] = eachDay(range);
  const first = await readDays(pool, query, { range: day, splitMax: 'all' });
  if ('refused' in first) return first;
  return Readable.from(lines(pool, query, { first, rest }), { highWaterMark: 1 });
}
