import { decimalFromNanoUsd } from '@weir/shared/money/money';
import type {
  FailedAttemptView,
  RequestAdminView,
  RequestPhases,
  RequestView,
} from '@weir/shared/watch/requests';
import type { UsageStatus } from '@weir/shared/watch/usage-record';

export interface RequestRow extends RequestPhases {
  readonly requestId: string;
  readonly createdAt: Date;
  /** Microseconds since 1970, exact: what the list is sorted by. */
  readonly atUs: string;
  readonly accountId: string | null;
  readonly accountName: string | null;
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
  readonly groupId: string | null;
  readonly groupName: string | null;
  readonly model: string | null;
  readonly protocol: string | null;
  readonly channelId: string | null;
  readonly channelName: string | null;
  readonly place: string | null;
  readonly status: UsageStatus;
  readonly httpStatus: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly stream: boolean;
  readonly attempts: number;
  readonly durationMs: number;
  readonly firstByteMs: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costNanoUsd: number;
  readonly clientAddress: string | null;
  readonly requests: number;
  readonly failedAttempts: FailedAttemptView[] | null;
}

/**
 * Names and attempts are looked up next to the page's rows, not joined into the search for them.
 */
export const REQUEST_COLUMNS = `
  r.request_id as "requestId", r.created_at as "createdAt",
  (extract(epoch from r.created_at) * 1000000)::bigint::text as "atUs", r.account_id as "accountId",
  (select name from accounts where id = r.account_id) as "accountName", r.key_id as "keyId",
  (select name from keys where id = r.key_id) as "keyName", r.key_prefix as "keyPrefix", r.group_id as "groupId",
  (select name from groups where id = r.group_id) as "groupName", r.model, r.protocol, r.channel_id as "channelId",
  (select name from channels where id = r.channel_id) as "channelName", r.place, r.status, r.http_status as "httpStatus",
  r.code, r.message, r.stream, r.attempts, r.duration_ms as "durationMs", r.first_byte_ms as "firstByteMs",
  r.hold_from_ms as "holdFromMs", r.held_ms as "heldMs", r.attempt_from_ms as "attemptFromMs",
  r.settle_from_ms as "settleFromMs",
  r.input_tokens as "inputTokens", r.output_tokens as "outputTokens", r.cost_nano_usd as "costNanoUsd",
  r.client_address as "clientAddress", r.requests,
  case when r.attempts > 0 then (
    select json_agg(json_build_object('number', a.number, 'channelId', a.channel_id,
      'channelName', (select name from channels where id = a.channel_id), 'place', a.place, 'upstreamStatus', a.upstream_status,
      'failure', a.failure, 'message', a.message, 'startedMs', a.started_ms, 'durationMs', greatest(a.duration_ms, 0)) order by a.number)
    from request_attempts a where a.created_at = r.created_at and a.request_id = r.request_id
  ) end as "failedAttempts"`;

/** A clock that is set during a request must not make its times negative. */
function atLeastZero(ms: number): number {
  return Math.max(0, ms);
}

function offset(ms: number | null): number | null {
  return ms === null ? null : atLeastZero(ms);
}

export function requestView(row: RequestRow): RequestView {
  return {
    requestId: row.requestId,
    createdAt: row.createdAt.toISOString(),
    keyId: row.keyId,
    keyName: row.keyName,
    groupId: row.groupId,
    groupName: row.groupName,
    model: row.model,
    protocol: row.protocol,
    status: row.status,
    httpStatus: row.httpStatus,
    code: row.code,
    message: row.message,
    stream: row.stream,
    attempts: row.attempts,
    durationMs: atLeastZero(row.durationMs),
    firstByteMs: offset(row.firstByteMs),
    phases: {
      holdFromMs: offset(row.holdFromMs),
      heldMs: offset(row.heldMs),
      attemptFromMs: offset(row.attemptFromMs),
      settleFromMs: offset(row.settleFromMs),
    },
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    costUsd: decimalFromNanoUsd(row.costNanoUsd),
    requests: row.requests,
  };
}

export function requestAdminView(row: RequestRow): RequestAdminView {
  const { accountId, accountName, keyPrefix, channelId, channelName, place, clientAddress } = row;
  const failedAttempts = row.failedAttempts ?? [];
  return {
    ...requestView(row),
    ...{ accountId, accountName, keyPrefix, channelId, channelName, place, clientAddress },
    failedAttempts,
  };
}
