import {
  ACTIVITY_HOURS,
  type ActivityKind,
  type ActivityList,
  type ActivityView,
} from '@weir/shared/activity';
import { decimalFromSum } from '../api/amount.ts';
import type { Database } from '../api/transaction.ts';
import { quantile } from '../traffic/histogram.ts';
import { HISTOGRAM } from '../traffic/traffic-statement.ts';
import { activityFrom } from './activity-sort.ts';
import { ACTIVITY_SUMS, failedSql, requestsSql } from './activity-sums.ts';

const HIGH_SHARE = 0.95;

interface HourRow {
  readonly id: string;
  /** Hours since the first one. */
  readonly hour: number;
  readonly requests: number;
  readonly failed: number;
  readonly costNanoUsd: string;
  readonly firstBytes: readonly number[];
}

/** The sums of models have public IDs in place of ids. */
const MODELS = 'join models m on m.public_id = s.model';

function statement(kind: ActivityKind): string {
  const { table, column } = ACTIVITY_SUMS[kind];
  const id = kind === 'model' ? 'm.id' : column;
  const wanted =
    kind === 'model'
      ? `${column} = any (select public_id from models where id = any ($2))`
      : `${column} = any ($2)`;
  return `
    select ${id} as id, (extract(epoch from s.starts_at - $1) / 3600)::integer as hour,
      (${requestsSql(kind)})::float8 as requests, (${failedSql(kind)})::float8 as failed,
      sum(s.cost_nano_usd)::text as "costNanoUsd", array[${HISTOGRAM}] as "firstBytes"
    from ${table} s ${kind === 'model' ? MODELS : ''}
    where s.grain = 'hour' and s.starts_at >= $1 and ${wanted} group by 1, 2`;
}

function viewOf(id: string, rows: readonly HourRow[]): ActivityView {
  const hours = new Array<number>(ACTIVITY_HOURS).fill(0);
  const failedHours = [...hours];
  let costNanoUsd = 0n;
  let firstBytes: readonly number[] = [];
  for (const row of rows) {
    hours[row.hour] = row.requests;
    failedHours[row.hour] = row.failed;
    costNanoUsd += BigInt(row.costNanoUsd);
    firstBytes = row.firstBytes.map((count, index) => count + (firstBytes[index] ?? 0));
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
  const { rows } = await db.query<HourRow>(statement(kind), [from, ids]);
  const byId = Map.groupBy(
    // A sum of an hour that has begun since is none of these.
    rows.filter(({ hour }) => hour < ACTIVITY_HOURS),
    ({ id }) => id,
  );
  return {
    from: from.toISOString(),
    data: ids.map((id) => viewOf(id, byId.get(id) ?? [])),
  };
}
