import {
  ACTIVITY_HOURS,
  type ActivityKind,
  type ActivityList,
  type ActivityView,
} from '@weir/shared/watch/activity';
import { FIRST_BYTE_BOUNDS_MS } from '@weir/shared/watch/operations';
import { decimalFromSum } from '../api/amount.ts';
import type { Database } from '../api/transaction.ts';
import { quantile } from '../traffic/histogram.ts';
import { activityFrom } from './activity-sort.ts';
import {
  ACTIVITY_SUMS,
  failedSql,
  HIGH_SHARE,
  histogramSql,
  requestsSql,
} from './activity-sums.ts';

interface HourRow {
  readonly id: string;
  /** Hours since the first one. */
  readonly hour: number;
  readonly requests: number;
  readonly failed: number;
  readonly costNanoUsd: string;
}

interface PartRow {
  readonly of: string;
  readonly part: number;
  readonly count: number;
}

/** The objects as their sums name them, and by which id that is asked for. */
async function namesOf(
  db: Database,
  kind: ActivityKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (kind !== 'model') return new Map(ids.map((id) => [id, id]));
  const { rows } = await db.query<{ id: string; publicId: string }>(
    'select id, public_id as "publicId" from models where id = any ($1)',
    [ids],
  );
  return new Map(rows.map(({ id, publicId }) => [publicId, id]));
}

function hoursStatement(kind: ActivityKind): string {
  const { table, column } = ACTIVITY_SUMS[kind];
  return `
    select ${column} as id, (extract(epoch from s.starts_at - $1) / 3600)::integer as hour,
      (${requestsSql(kind)})::float8 as requests, (${failedSql(kind)})::float8 as failed,
      sum(s.cost_nano_usd)::text as "costNanoUsd"
    from ${table} s
    where s.grain = 'hour' and s.starts_at >= $1 and ${column} = any ($2) group by 1, 2`;
}

function partsStatement(kind: ActivityKind): string {
  const wanted = `s.starts_at >= $1 and ${ACTIVITY_SUMS[kind].column} = any ($2)`;
  return `
    select of, part::integer, count::float8 from (${histogramSql(kind, wanted)}) counted`;
}

function viewOf(id: string, rows: readonly HourRow[], parts: readonly PartRow[]): ActivityView {
  const hours = new Array<number>(ACTIVITY_HOURS).fill(0);
  const failedHours = [...hours];
  let costNanoUsd = 0n;
  const firstBytes = new Array<number>(FIRST_BYTE_BOUNDS_MS.length + 1).fill(0);
  for (const { part, count } of parts) firstBytes[part - 1] = count;
  for (const row of rows) {
    hours[row.hour] = row.requests;
    failedHours[row.hour] = row.failed;
    costNanoUsd += BigInt(row.costNanoUsd);
  }
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    id,
    requests: sum(hours),
    failed: sum(failedHours),
    firstByteMsP95: quantile(firstBytes, HIGH_SHARE),
    costUsd: decimalFromSum(String(costNanoUsd)),
    hours,
    failedHours,
  };
}

/** The latest 24 hours of some objects, from sums by hour. */
export async function readActivity(
  db: Database,
  kind: ActivityKind,
  ids: readonly string[],
): Promise<ActivityList> {
  const from = activityFrom();
  const names = await namesOf(db, kind, ids);
  const values = [from, [...names.keys()]];
  const hours = await db.query<HourRow>(hoursStatement(kind), values);
  const parts = await db.query<PartRow>(partsStatement(kind), values);
  const idOf = (name: string) => names.get(name) ?? name;
  // A sum of an hour that has begun since is none of these.
  const current = hours.rows.filter(({ hour }) => hour < ACTIVITY_HOURS);
  const hoursById = Map.groupBy(current, (row) => idOf(row.id));
  const partsById = Map.groupBy(parts.rows, ({ of }) => idOf(of));
  return {
    from: from.toISOString(),
    data: ids.map((id) => viewOf(id, hoursById.get(id) ?? [], partsById.get(id) ?? [])),
  };
}
