import { USAGE_STATUSES, type UsageStatus } from '@weir/shared/watch/usage-record';
import { addTimePosition } from '../api/lists/newest-first.ts';
import type { Database } from '../api/transaction.ts';
import { recordConditions } from '../usage/find-records.ts';
import type { RequestFilter } from './find-requests.ts';
import type { RequestRow } from './request-row.ts';
import { orderBy, type RequestPosition } from './request-sort.ts';

/** A bill as a row of the request log, without what only the log has. */
const COLUMNS = `
  r.request_id as "requestId", r.created_at as "createdAt",
  (extract(epoch from r.created_at) * 1000000)::bigint::text as "atUs", r.account_id as "accountId",
  (select name from accounts where id = r.account_id) as "accountName", r.key_id as "keyId",
  (select name from keys where id = r.key_id) as "keyName", null as "keyPrefix", r.group_id as "groupId",
  (select name from groups where id = r.group_id) as "groupName", r.model, r.protocol, r.channel_id as "channelId",
  (select name from channels where id = r.channel_id) as "channelName", null as place,
  usage_status(r.status) as status, r.http_status as "httpStatus",
  case when r.status <> 'completed' then usage_status(r.status) end as code, null as message, r.stream, r.attempts,
  r.latency_ms as "durationMs", r.first_byte_ms as "firstByteMs", null as "holdFromMs", null as "heldMs",
  null as "attemptFromMs", null as "settleFromMs", r.input_tokens as "inputTokens",
  r.output_tokens as "outputTokens", r.cost_nano_usd as "costNanoUsd", null as "clientAddress", 1 as requests,
  null as "failedAttempts"`;

/** The first entry of the log: what is older is known from its bill alone. */
const LOG_BEGINS = `(select coalesce(min(created_at), 'infinity') from requests)`;

function statusIn(code: string): UsageStatus | undefined {
  return USAGE_STATUSES.find((status) => status === code && status !== 'completed');
}

/**
 * Requests from before the request log begins, by their bills, which are kept for longer. A bill
 * knows how its request ended, not the code of a refusal.
 */
export async function findOlderBills(
  db: Database,
  { code, ...filter }: RequestFilter,
  { sort, after, limit }: RequestPosition,
): Promise<RequestRow[]> {
  const status = code === undefined ? undefined : statusIn(code);
  if (code !== undefined && status === undefined) return [];
  const conditions = recordConditions({ ...filter, ...(status && { status }) }, null);
  if (after !== null) {
    const position = { atUs: after.value, requestId: after.requestId };
    addTimePosition(conditions, position, sort.startsWith('-') ? 'desc' : 'asc');
  }
  conditions.add(`r.created_at < ${LOG_BEGINS}`);
  const { rows } = await db.query<RequestRow>(
    `select ${COLUMNS} from usage_records r ${conditions.sql}
     ${orderBy(sort)} limit ${conditions.place(limit)}`,
    conditions.values,
  );
  return rows;
}
