import type { UsageDayAdminQuery } from '@weir/shared/watch/usage';
import {
  SPLITS,
  SUMMED,
  type ChartQuery,
  type ChartStatement,
  type Split,
} from './chart-statement.ts';
import { recordConditions } from './find-records.ts';

/**
 * Reports whether only the records themselves have the answer: sums of days have no hours, outcomes
 * and channels.
 */
export function needsRecords(query: UsageDayAdminQuery): boolean {
  const { per, status, outcome, channelId } = query;
  return per === 'hour' || [status, outcome, channelId].some((value) => value !== undefined);
}

const DAY_MS = 86_400_000;

/** The search for a chart of records that match what a list of them is filtered by. */
export function recordChartStatement(
  query: ChartQuery,
  { range, splitMax }: Split,
): ChartStatement {
  const { by = 'none', per = 'day', from: _from, to: _to, ...filter } = query;
  const { sql: where, values } = recordConditions(
    {
      ...filter,
      from: `${range.from}T00:00:00Z`,
      to: new Date(Date.parse(range.to) + DAY_MS).toISOString(),
    },
    null,
  );
  const at = `(r.created_at at time zone 'UTC')`;
  const hour = per === 'hour' ? `extract(hour from ${at})::integer` : 'null::integer';
  const columns = SUMMED.filter(([column]) => column !== 'requests').map(([column]) => column);
  const names = SUMMED.map(([column]) => column).join(', ');
  const sums = SUMMED.map(([column]) => `sum(d.${column}) as ${column}`).join(', ');
  const text = `
    with records as (
      select ${at}::date as day, ${hour} as hour, r.model, r.key_id, r.group_id, r.account_id, r.member_id, r.team_id,
        1 as requests, ${columns.map((column) => `r.${column}`).join(', ')}
      from usage_records r ${where}
    ), cells as materialized (
      select d.day, d.hour, ${SPLITS[by].column} as of, ${sums} from records d group by 1, 2, 3
    ), costliest as materialized (
      select of from cells group by of order by sum(cost_nano_usd) desc, of limit ${splitMax}
    ), top as (
      select d.day, d.hour, d.of::text as of, ${names} from cells d
      where d.of is null or d.of in (select of from costliest)
      union all
      select d.day, d.hour, null, ${sums} from cells d
      where d.of is not null and d.of not in (select of from costliest where of is not null)
      group by 1, 2
    )
    select to_char(top.day, 'YYYY-MM-DD') as day, top.hour, top.of, ${SPLITS[by].label} as label,
      ${SUMMED.map(([column, name]) => `top.${column}::text as "${name}"`).join(', ')}
    from top order by top.day, top.hour, top.of is null, top.cost_nano_usd desc, top.of`;
  return { text, values };
}
