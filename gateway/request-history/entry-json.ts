import type { RequestSummary } from '../platform/telemetry/request-log.ts';
import { quoted } from '../platform/telemetry/request-members.ts';
import { cleanMessage } from './upstream-message.ts';

/**
 * One entry of the request history as `enter_requests` reads it
 * (stores/postgres/functions/requests.sql): one line of JSON.
 * @param members the members of the log line
 * @param count how many requests it represents
 */
export function entryJson(trace: RequestSummary, members: string, count = 1): string {
  const { requestId, createdAtMs, principal, protocol } = trace;
  let entry = `{"requestId":"${requestId}","at":${createdAtMs}`;
  if (principal !== null) entry += principal.recorded;
  if (protocol !== null) entry += `,"protocol":"${protocol}"`;
  entry += members;
  if (trace.holdFromMs !== null) entry += phasesJson(trace);
  if (trace.refused !== null || trace.failedAttempts !== null) entry += failureJson(trace);
  if (count > 1) entry += `,"count":${count}`;
  return `${entry}}`;
}

/** One array, because four names would cost more than the figures. */
function phasesJson({ holdFromMs, heldMs, attemptFromMs, settleFromMs }: RequestSummary): string {
  return `,"phases":[${holdFromMs},${heldMs},${attemptFromMs},${settleFromMs}]`;
}

function failureJson({
  refused,
  refusalMessage,
  failedAttempts,
  principal,
  unauthenticated,
}: RequestSummary): string {
  let text = '';
  // Of a request that was served after all, the message was not sent.
  const isTold = refused !== null && refusalMessage !== null;
  const message = !isTold ? null : cleanMessage(refusalMessage);
  if (message !== null) text += `,"message":${quoted(message)}`;
  if (failedAttempts !== null) text += `,"failures":${JSON.stringify(failedAttempts)}`;
  if (principal === null && unauthenticated !== null) {
    text += `,"address":${quoted(unauthenticated.address)}`;
    if (unauthenticated.keyPrefix !== null)
      text += `,"keyPrefix":${quoted(unauthenticated.keyPrefix)}`;
  }
  return text;
}
