import type { ActivityKind } from '@weir/shared/watch/activity';

/** The share of replies that began no later than the time that is shown. */
export const HIGH_SHARE = 0.95;

/**
 * The sums of each kind of object, and the column that says which object. Models are summed by
 * public ID. From code, never from a request.
 */
export const ACTIVITY_SUMS: Readonly<
  Record<ActivityKind, { readonly table: string; readonly column: string }>
> = {
  account: { table: 'request_account_sums', column: 's.account_id' },
  channel: { table: 'request_sums', column: 's.channel_id' },
  key: { table: 'request_key_sums', column: 's.key_id' },
  model: { table: 'request_sums', column: 's.model' },
};

/** Requests that were not served in full. A client that leaves is no failure. */
const FAILED = `coalesce(sum(s.requests) filter (where s.code not in ('', 'client_disconnected')), 0)`;

/**
 * A channel has attempts: those that failed before another channel served count as well. A stream
 * that broke off is a failed request without a failed attempt.
 */
export function failedSql(kind: ActivityKind): string {
  return kind === 'channel' ? `greatest(${FAILED}, sum(s.failed_attempts))` : FAILED;
}

export function requestsSql(kind: ActivityKind): string {
  return kind === 'channel'
    ? `(sum(s.requests) - ${FAILED} + ${failedSql(kind)})`
    : 'sum(s.requests)';
}

/** Requests by object and part of the histogram of times to the first token; parts begin at 1. */
export function histogramSql(kind: ActivityKind, where: string): string {
  const { table, column } = ACTIVITY_SUMS[kind];
  return `
    select ${column} as of, u.part, sum(u.count)::bigint as count
    from ${table} s cross join lateral unnest(s.first_bytes) with ordinality as u(count, part)
    where s.grain = 'hour' and ${where} and u.count > 0 group by 1, 2`;
}
