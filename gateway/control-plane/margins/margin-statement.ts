import type { MarginDimension, MarginQuery } from '@weir/shared/prices/margins';
import { Conditions } from '../api/lists/conditions.ts';

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/**
 * The column each dimension splits by, and where its names are. From code, never from a request.
 */
const SPLITS: Readonly<
  Record<MarginDimension, { readonly column: string; readonly label: string }>
> = {
  day: { column: 'm.day::text', label: 'null::text' },
  model: { column: 'm.model', label: 'null::text' },
  channel: {
    column: 'm.channel_id::text',
    label: '(select name from channels where id = c.of::uuid)',
  },
  account: {
    column: 'm.account_id::text',
    label: '(select name from accounts where id = c.of::uuid)',
  },
};

/** Names of sums, and what they are sums of. */
const SUMS = {
  requests: 'm.requests',
  balance: 'm.balance_nano_usd',
  subscription: 'm.subscription_nano_usd',
  uncollected: 'm.uncollected_nano_usd',
  knownRequests: 'm.known_requests',
  knownRevenue: 'm.known_balance_nano_usd + m.known_subscription_nano_usd',
  upstreamCost: 'm.upstream_cost_nano_usd',
} as const;

export type SumName = keyof typeof SUMS;

const OF_ROWS = Object.entries(SUMS).map(([name, part]) => `sum(${part}) as "${name}"`);
/** The sums as text: they may exceed 2^53. */
const AS_TEXT = Object.keys(SUMS).map((name) => `c."${name}"::text`);
const OF_REST = Object.keys(SUMS).map((name) => `sum(c."${name}")::text`);

/**
 * The sums of each part, days in their order and others by revenue, and behind them one row with
 * those beyond `rowsMax`, where there are any.
 */
export function marginStatement(
  query: MarginQuery,
  { from, to }: DayRange,
  { by, rowsMax }: { readonly by: MarginDimension; readonly rowsMax: number },
): { readonly text: string; readonly values: unknown[] } {
  const conditions = new Conditions();
  conditions.add(`m.day between ${conditions.place(from)} and ${conditions.place(to)}`);
  conditions.equal('m.model', query.model);
  conditions.equal('m.channel_id', query.channelId);
  conditions.equal('m.account_id', query.accountId);
  const most = conditions.place(rowsMax);
  const { column, label } = SPLITS[by];
  const revenue = 'sum(m.balance_nano_usd + m.subscription_nano_usd)';
  const order = by === 'day' ? column : `${revenue} desc, ${column} nulls last`;
  const text = `
    with cells as materialized (
      select ${column} as of, ${OF_ROWS.join(', ')}, row_number() over (order by ${order}) as place
      from margins m ${conditions.sql} group by ${column}
    )
    select c.of, ${label} as label, false as "isRest", ${AS_TEXT.join(', ')}, c.place
    from cells c where c.place <= ${most}
    union all
    select null, null, true, ${OF_REST.join(', ')}, null
    from cells c where c.place > ${most} having count(*) > 0
    order by place nulls last`;
  return { text, values: conditions.values };
}
