import { timeOfRequestId } from '@weir/shared/request-ids';
import type { RequestAdminListQuery } from '@weir/shared/requests';
import { Conditions } from '../api/conditions.ts';
import { addPosition, type RowPosition } from '../api/newest-first.ts';
import type { Database } from '../api/transaction.ts';
import { keyOfMember, type UsageScope } from '../usage/whose-usage.ts';
import { REQUEST_COLUMNS, type RequestRow } from './request-row.ts';

export type RequestFilter = Omit<RequestAdminListQuery, 'cursor' | 'limit'> & UsageScope;

/**
 * Returns the conditions of a search on the requests, or failed attempts, `r` after a position,
 * without that on the channel.
 */
function requestConditions(filter: RequestFilter, after: RowPosition | null): Conditions {
  const conditions = new Conditions();
  conditions.equal('r.account_id', filter.accountId);
  conditions.equal('r.key_id', filter.keyId);
  if (filter.ownMemberId !== undefined) {
    conditions.add(keyOfMember('r.key_id', conditions.place(filter.ownMemberId)));
  }
  conditions.equal('r.model', filter.model);
  conditions.equal('r.code', filter.code);
  // The partial indexes are only seen when the query says so.
  if (filter.code !== undefined || filter.outcome === 'failed') {
    conditions.add('r.code is not null');
  }
  if (filter.outcome === 'served') conditions.add('r.code is null');
  addPosition(conditions, filter, after);
  return conditions;
}

const NEWEST_FIRST = 'order by r.created_at desc, r.request_id desc';

/**
 * The requests of a channel: those that it had last, and those that failed there before another had
 * them.
 */
function ofChannel(conditions: Conditions, channelId: string, limit: string): string {
  const channel = conditions.place(channelId);
  const rest = conditions.sql === '' ? '' : `and ${conditions.sql.slice('where '.length)}`;
  return `(
    (select r.created_at, r.request_id from requests r where r.channel_id = ${channel} ${rest} ${NEWEST_FIRST} limit ${limit})
    union
    (select r.created_at, r.request_id from request_attempts r where r.channel_id = ${channel} ${rest}
      group by r.created_at, r.request_id ${NEWEST_FIRST} limit ${limit})
  ) found join requests r using (created_at, request_id)`;
}

/** Requests newest first, after a position. A page costs the same wherever it is. */
export async function findRequests(
  db: Database,
  filter: RequestFilter,
  options: { readonly after: RowPosition | null; readonly limit: number },
): Promise<RequestRow[]> {
  const conditions = requestConditions(filter, options.after);
  const limit = conditions.place(options.limit);
  const source =
    filter.channelId === undefined
      ? `requests r ${conditions.sql}`
      : ofChannel(conditions, filter.channelId, limit);
  const { rows } = await db.query<RequestRow>(
    `select ${REQUEST_COLUMNS} from ${source} ${NEWEST_FIRST} limit ${limit}`,
    conditions.values,
  );
  return rows;
}

/** One request. Its id says when it came, and so in which partition it is. */
export async function findRequest(
  db: Database,
  requestId: string,
): Promise<RequestRow | undefined> {
  const { rows } = await db.query<RequestRow>(
    `select ${REQUEST_COLUMNS} from requests r where r.created_at = from_ms($1) and r.request_id = $2`,
    [timeOfRequestId(requestId), requestId],
  );
  return rows[0];
}
