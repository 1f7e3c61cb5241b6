import {
  DURATION_BOUNDS_MS,
  FIRST_BYTE_BOUNDS_MS,
  type TrafficDimension,
  type TrafficQuery,
} from '@weir/shared/watch/operations';
import { Conditions } from '../api/lists/conditions.ts';
import { keyOfMember, type UsageScope } from '../usage/whose-usage.ts';

/** The requests whose sums are read. */
export type TrafficFilter = TrafficQuery & UsageScope;

export interface TrafficRange {
  readonly step: 'hour' | 'day';
  readonly from: Date;
  readonly to: Date;
}

/** A chart with more lines cannot be read; the rest is one line. */
export const PARTS_MAX = 20;

/**
 * The column each dimension splits by, and where its names are. From code, never from a request.
 */
const SPLITS: Readonly<
  Record<TrafficDimension, { readonly column: string; readonly label: string }>
> = {
  none: { column: 'null::text', label: 'null::text' },
  model: { column: `nullif(s.model, '')`, label: 'c.of' },
  channel: {
    column: 's.channel_id::text',
    label: '(select name from channels where id = c.of::uuid)',
  },
  group: { column: 's.group_id::text', label: '(select name from groups where id = c.of::uuid)' },
  account: {
    column: 's.account_id::text',
    label: '(select name from accounts where id = c.of::uuid)',
  },
  code: { column: `nullif(s.code, '')`, label: 'c.of' },
};

/** A client that leaves is no failure of anybody's. */
const IS_FAILED = `s.code not in ('', 'client_disconnected')`;

/** The sums of a histogram, one part each. `column` is from code, never from a request. */
function histogram(column: string, bounds: readonly number[]): string {
  const parts = Array.from(
    { length: bounds.length + 1 },
    (_part, index) => `coalesce(sum(s.${column}[${String(index + 1)}]), 0)::float8`,
  );
  return `array[${parts.join(', ')}]`;
}

/** The sums that know what is asked for; `refuseMixed` lets nothing ask for several. */
function tableOf({ keyId, ownMemberId, accountId, by }: TrafficFilter): string {
  if (keyId !== undefined || ownMemberId !== undefined) return 'request_key_sums';
  return accountId !== undefined || by === 'account' ? 'request_account_sums' : 'request_sums';
}

const FIRST_BYTES = histogram('first_bytes', FIRST_BYTE_BOUNDS_MS);
const DURATIONS = histogram('durations', DURATION_BOUNDS_MS);

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

interface Sources {
  readonly table: string;
  /** The condition of the query, with its values. */
  readonly conditions: Conditions;
  readonly column: string;
  readonly label: string;
  /** Columns of sums, as `SumsRow` names them. */
  readonly sums: string;
}

function sourcesOf(query: TrafficFilter, { step, from, to }: TrafficRange): Sources {
  const by = query.by ?? 'none';
  const table = tableOf(query);
  const conditions = new Conditions();
  conditions.equal('s.grain', step);
  conditions.add(`s.starts_at >= ${conditions.place(from)}`);
  conditions.add(`s.starts_at < ${conditions.place(to)}`);
  // The sums of keys have no account: a member's keys are all of one.
  if (query.ownMemberId === undefined) conditions.equal('s.account_id', query.accountId);
  else conditions.add(keyOfMember('s.key_id', conditions.place(query.ownMemberId)));
  conditions.equal('s.key_id', query.keyId);
  conditions.equal('s.model', query.model);
  conditions.equal('s.channel_id', query.channelId);
  conditions.equal('s.group_id', query.groupId);
  const { column, label } = SPLITS[by];
  const failedAttempts = table === 'request_sums' ? 'sum(s.failed_attempts)::float8' : '0';
  const sums = `
    sum(s.requests)::float8 as "requests",
    coalesce(sum(s.requests) filter (where ${IS_FAILED}), 0)::float8 as "failed",
    ${failedAttempts} as "failedAttempts", sum(s.input_tokens)::float8 as "inputTokens",
    sum(s.output_tokens)::float8 as "outputTokens", sum(s.cost_nano_usd)::text as "costNanoUsd",
    sum(s.streamed_tokens)::float8 as "streamedTokens", sum(s.streamed_ms)::float8 as "streamedMs",
    ${FIRST_BYTES} as "firstBytes", ${DURATIONS} as "durations"`;
  return { table, conditions, column, label, sums };
}

/**
 * The sums of each hour or day, split into the parts with the most requests and the rest, whose
 * `of` is null. Requests without a model, channel, group or code are part of the rest.
 */
export function pointsStatement(query: TrafficFilter, range: TrafficRange): Statement {
  const { table, conditions, column, label, sums } = sourcesOf(query, range);
  const text = `
    with most as materialized (
      select ${column} as of from ${table} s ${conditions.sql} group by 1 order by sum(s.requests) desc, 1
      limit ${String(PARTS_MAX)}
    ), cells as (
      select s.starts_at, m.of, ${sums}
      from ${table} s left join most m on m.of = ${column} ${conditions.sql} group by 1, 2
    )
    select c.starts_at as "startsAt", c.*, ${label} as label from cells c
    order by c.starts_at, c.of is null, c.requests desc, c.of`;
  return { text, values: conditions.values };
}

/**
 * The sums of the whole period for each part, those with the most requests first. The sums of what
 * has no model, channel, group or code come with a null `of`.
 */
export function totalsStatement(query: TrafficFilter, range: TrafficRange): Statement {
  const { table, conditions, column, label, sums } = sourcesOf(query, range);
  const text = `
    with cells as (select ${column} as of, ${sums} from ${table} s ${conditions.sql} group by 1)
    select c.*, ${label} as label from cells c
    order by c.requests desc, c."failedAttempts" desc, c.of`;
  return { text, values: conditions.values };
}
