import { ACTIVITY_HOURS, type ActivityKind } from '@weir/shared/watch/activity';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import type { Conditions } from '../api/lists/conditions.ts';
import { INTEGER_SHAPE } from '../api/lists/cursor.ts';
import type { SortColumn } from '../api/lists/sorted-list.ts';
import {
  ACTIVITY_SUMS,
  failedSql,
  HIGH_SHARE,
  histogramSql,
  requestsSql,
} from './activity-sums.ts';

const HOUR_MS = 3_600_000;
/** Shares are compared as parts per million. */
const PPM = 1_000_000;

/** The beginning of the first of the hours that an activity has; the last one is running. */
export function activityFrom(nowMs = databaseNowMs()): Date {
  return new Date((Math.floor(nowMs / HOUR_MS) - (ACTIVITY_HOURS - 1)) * HOUR_MS);
}

/** Everything that a figure is read from: the sums of the hours since `from`. */
interface FigureSource {
  readonly kind: ActivityKind;
  /** The parameter of the first hour. */
  readonly from: string;
}

/** A figure that is one aggregate of the sums of an object. */
function aggregate(value: (kind: ActivityKind) => string) {
  return ({ kind, from }: FigureSource): string => {
    const { table, column } = ACTIVITY_SUMS[kind];
    return `
      select ${column} as of, (${value(kind)})::bigint as figure from ${table} s
      where s.grain = 'hour' and s.starts_at >= ${from} group by 1`;
  };
}

/**
 * The number of the histogram's part that has the 95th percentile: exact enough for an order, and
 * the objects of one part are ordered by id. Few parts of a histogram have any request, so that
 * these are counted instead of all parts of all rows.
 */
function firstBytePart({ kind, from }: FigureSource): string {
  return `
    select of, min(part) as figure from (
      select of, part, sum(count) over (partition by of order by part) as below,
        sum(count) over (partition by of) as total
      from (${histogramSql(kind, `s.starts_at >= ${from}`)}) parts
    ) summed where below >= ${String(HIGH_SHARE)} * total group by of`;
}

const FIGURES = {
  requests: aggregate(requestsSql),
  errors: aggregate(
    (kind) => `${failedSql(kind)} * ${String(PPM)} / greatest(${requestsSql(kind)}, 1)`,
  ),
  firstByte: firstBytePart,
  spend: aggregate(() => 'sum(s.cost_nano_usd)'),
} as const;

type Figure = keyof typeof FIGURES;

function figureOf(sort: string): Figure | undefined {
  const name = sort.replace(/^-/, '');
  return (Object.keys(FIGURES) as Figure[]).find((figure) => figure === name);
}

/** The SQL of the figure; an object without requests has none, and counts as 0. */
export const FIGURE = 'coalesce(figures.figure, 0)';

function figureQuery(
  conditions: Conditions,
  {
    figure,
    kind,
    of,
  }: { readonly figure: Figure; readonly kind: ActivityKind; readonly of: string },
): string {
  const from = conditions.place(activityFrom());
  return `left join (${FIGURES[figure]({ kind, from })}) figures on figures.of = ${of}`;
}

function figureColumn(figure: Figure, kind: ActivityKind, of: string): SortColumn {
  return {
    expression: FIGURE,
    type: 'bigint',
    shape: INTEGER_SHAPE,
    join: (conditions) => figureQuery(conditions, { figure, kind, of }),
  };
}

/**
 * Sorts a list by the figures of the latest 24 hours.
 *
 * @param of the SQL of the id, or of a model's public ID, in the list
 */
export function figureColumns(kind: ActivityKind, of: string): Record<Figure, SortColumn> {
  return {
    requests: figureColumn('requests', kind, of),
    errors: figureColumn('errors', kind, of),
    firstByte: figureColumn('firstByte', kind, of),
    spend: figureColumn('spend', kind, of),
  };
}

/** The join that `FIGURE` needs in a list that is read whole; empty for sorts by something else. */
export function figureJoin(
  conditions: Conditions,
  { kind, sort, of }: { readonly kind: ActivityKind; readonly sort: string; readonly of: string },
): string {
  const figure = figureOf(sort);
  return figure === undefined ? '' : figureQuery(conditions, { figure, kind, of });
}
