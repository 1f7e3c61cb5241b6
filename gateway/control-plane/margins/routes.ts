import { Readable } from 'node:stream';
import type { UPSTREAM_ROUTES } from '@weir/shared/api/admin-routes/upstreams';
import {
  MARGIN_DAYS_MAX,
  MARGIN_ROWS_MAX,
  type MarginQuery,
  type MarginRow,
  type MarginView,
} from '@weir/shared/prices/margins';
import { csvHeader, csvLine } from '@weir/shared/csv';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call, HandlersOf } from '../api/call.ts';
import { startCsv } from '../api/lists/csv.ts';
import type { Database } from '../api/transaction.ts';
import { marginStatement, type DayRange } from './margin-statement.ts';
import { addSums, NO_SUMS, sumsView, type SumsRow } from './margin-sums.ts';

type Table = Pick<typeof UPSTREAM_ROUTES, 'getMargins' | 'exportMargins'>;

export const marginHandlers: HandlersOf<Table> = { getMargins, exportMargins };

const DAYS_DEFAULT = 30;
const DAY_MS = 86_400_000;
/** Some 15 MB; what is beyond is in the last line. */
const CSV_ROWS_MAX = 100_000;

type PartRow = SumsRow & Pick<MarginRow, 'of' | 'label' | 'isRest'>;

function dayText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** The days that are asked for; by default the last 30. */
function readRange(query: MarginQuery): DayRange | Refusal {
  const to = query.to ?? dayText(databaseNowMs());
  const from = query.from ?? dayText(Date.parse(to) - (DAYS_DEFAULT - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const param = 'from';
  if (days < 1) {
    return refuse('invalid_value', `The first day must not be after the last, ${to}.`, { param });
  }
  if (days <= MARGIN_DAYS_MAX) return { from, to };
  const most = String(MARGIN_DAYS_MAX);
  return refuse('invalid_value', `These are ${String(days)} days. Choose at most ${most} days.`, {
    param,
  });
}

function partView(row: PartRow): MarginRow {
  const { of, label, isRest } = row;
  return { of, label, isRest, ...sumsView(row) };
}

async function readParts(
  db: Database,
  query: MarginQuery,
  { range, rowsMax }: { readonly range: DayRange; readonly rowsMax: number },
): Promise<PartRow[]> {
  const { text, values } = marginStatement(query, range, { by: query.by ?? 'day', rowsMax });
  return (await db.query<PartRow>(text, values)).rows;
}

async function getMargins({ context, query }: Call<'getMargins'>): Promise<MarginView | Refusal> {
  const range = readRange(query);
  if ('refused' in range) return range;
  const { by = 'day' } = query;
  const rowsMax = by === 'day' ? MARGIN_DAYS_MAX : MARGIN_ROWS_MAX;
  const parts = await readParts(context.pool, query, { range, rowsMax });
  const total = sumsView(parts.reduce<SumsRow>(addSums, NO_SUMS));
  return { ...range, by, data: parts.map(partView), total };
}

const COLUMNS = [
  ['requests', ({ requests }) => String(requests)],
  ['revenue_usd', ({ revenueUsd }) => revenueUsd],
  ['from_subscription_usd', ({ fromSubscriptionUsd }) => fromSubscriptionUsd],
  ['uncollected_usd', ({ uncollectedUsd }) => uncollectedUsd],
  ['unknown_requests', ({ unknownRequests }) => String(unknownRequests)],
  ['unknown_revenue_usd', ({ unknownRevenueUsd }) => unknownRevenueUsd],
  ['known_revenue_usd', ({ knownRevenueUsd }) => knownRevenueUsd],
  ['upstream_cost_usd', ({ upstreamCostUsd }) => upstreamCostUsd],
  ['profit_usd', ({ profitUsd }) => profitUsd],
  ['margin_percent', ({ marginPercent }) => (marginPercent === null ? '' : String(marginPercent))],
] as const satisfies readonly (readonly [string, (row: MarginRow) => string])[];

async function exportMargins({
  context,
  query,
  reply,
}: Call<'exportMargins'>): Promise<Readable | Refusal> {
  const range = readRange(query);
  if ('refused' in range) return range;
  const { by = 'day' } = query;
  const parts = await readParts(context.pool, query, { range, rowsMax: CSV_ROWS_MAX });
  const header = csvHeader([by, 'name', ...COLUMNS.map(([name]) => name)]);
  const lines = parts.map(partView).map((row) => {
    const cells = COLUMNS.map(([, cell]) => cell(row));
    return csvLine([row.of ?? '', row.isRest ? 'others' : (row.label ?? ''), ...cells]);
  });
  startCsv(reply, `weir-margins-by-${by}.csv`);
  return Readable.from([header, ...lines]);
}
