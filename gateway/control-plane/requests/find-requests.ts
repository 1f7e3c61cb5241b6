import { timeOfRequestId } from '@weir/shared/watch/request-ids';
import { cameAt } from './came-at.ts';
import type { RequestAdminListQuery, RequestSort } from '@weir/shared/watch/requests';
import { Conditions } from '../api/lists/conditions.ts';
import { addPeriod } from '../api/lists/newest-first.ts';
import type { Database } from '../api/transaction.ts';
import { keyOfMember, type UsageScope } from '../usage/whose-usage.ts';
import { findOlderBills } from './older-bills.ts';
import { REQUEST_COLUMNS, type RequestRow } from './request-row.ts';
import { addSortPosition, isByTime, orderBy, type RequestPosition } from './request-sort.ts';

export type RequestFilter = Omit<RequestAdminListQuery, 'cursor' | 'limit' | 'sort'> & UsageScope;

/**
 * What a search says about the requests, or failed attempts, `r`, but for the channel.
 */
function requestConditions(filter: RequestFilter): Conditions {
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
  addPeriod(conditions, filter);
  return conditions;
}

/**
 * The requests of a channel by time: those that it had last, and those that failed there before
 * another had them. Each part stops at the page's end.
 */
function ofChannel(
  conditions: Conditions,
  channelId: string,
  page: { readonly sort: RequestSort; readonly limit: string },
): string {
  const channel = conditions.place(channelId);
  const rest = conditions.sql === '' ? '' : `and ${conditions.sql.slice('where '.length)}`;
  const end = `${orderBy(page.sort)} limit ${page.limit}`;
  return `(
    (select r.created_at, r.request_id from requests r where r.channel_id = ${channel} ${rest} ${end})
    union
    (select r.created_at, r.request_id from request_attempts r where r.channel_id = ${channel} ${rest}
      group by r.created_at, r.request_id ${end})
  ) found join requests r using (created_at, request_id)`;
}

/**
 * The same in any order, and with a group: attempts know neither, so their requests are looked up
 * first.
 */
function addChannel(conditions: Conditions, filter: RequestFilter): void {
  const channel = conditions.place(filter.channelId);
  const attempts = new Conditions();
  addPeriod(attempts, filter);
  const period = attempts.sql
    .replace(/\$\d+/g, (name) => conditions.place(attempts.values[Number(name.slice(1)) - 1]))
    .replace('where ', 'and ');
  conditions.add(`(r.channel_id = ${channel} or (r.created_at, r.request_id) in (
    select r.created_at, r.request_id from request_attempts r where r.channel_id = ${channel} ${period}))`);
}

/** One page of the request log. */
async function findLogged(
  db: Database,
  filter: RequestFilter,
  page: RequestPosition,
): Promise<RequestRow[]> {
  const { sort, limit: rows } = page;
  const conditions = requestConditions(filter);
  addSortPosition(conditions, page);
  const byParts = filter.groupId === undefined && isByTime(sort);
  if (filter.channelId !== undefined && !byParts) addChannel(conditions, filter);
  conditions.equal('r.group_id', filter.groupId);
  const limit = conditions.place(rows);
  const source =
    filter.channelId !== undefined && byParts
      ? ofChannel(conditions, filter.channelId, { sort, limit })
      : `requests r ${conditions.sql}`;
  const found = await db.query<RequestRow>(
    `select ${REQUEST_COLUMNS} from ${source} ${orderBy(sort)} limit ${limit}`,
    conditions.values,
  );
  return found.rows;
}

/**
 * One page of requests after a position; it costs the same wherever it is. By time the list goes on
 * with bills that are older than the request log.
 */
export async function findRequests(
  db: Database,
  filter: RequestFilter,
  page: RequestPosition,
): Promise<RequestRow[]> {
  if (!isByTime(page.sort)) return findLogged(db, filter, page);
  const parts = [findLogged, findOlderBills];
  if (page.sort === 'created') parts.reverse();
  const rows: RequestRow[] = [];
  for (const find of parts) {
    if (rows.length >= page.limit) break;
    rows.push(...(await find(db, filter, { ...page, limit: page.limit - rows.length })));
  }
  return rows;
}

/** One request. Its id says when it came, and so in which partition it is. */
export async function findRequest(
  db: Database,
  requestId: string,
): Promise<RequestRow | undefined> {
  const { rows } = await db.query<RequestRow>(
    `select ${REQUEST_COLUMNS} from requests r where ${cameAt('$1')} and r.request_id = $2`,
    [timeOfRequestId(requestId), requestId],
  );
  return rows[0];
}
