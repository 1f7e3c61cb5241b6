import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import { mayLaterSucceed } from '../../../platform/errors/may-later-succeed.ts';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { RenderedError } from '../../dialect.ts';

/**
 * google.rpc.Code by HTTP status, as https://cloud.google.com/apis/design/errors maps them. Of the
 * others 402 is a request that cannot be met as things are.
 */
const RPC_STATUSES: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [402, 'FAILED_PRECONDITION'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [405, 'UNIMPLEMENTED'],
  [408, 'DEADLINE_EXCEEDED'],
  [413, 'INVALID_ARGUMENT'],
  [415, 'INVALID_ARGUMENT'],
  [429, 'RESOURCE_EXHAUSTED'],
  [500, 'INTERNAL'],
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);

const TOO_MUCH_STATUS = 429;
const SERVER_FAULT_STATUS_MIN = 500;

/** Gemini CLI waits for a limit that is over sooner than this, and shows any other to its user. */
const WAITED_FOR_MS_MAX = 120_000;

const TYPE = 'type.googleapis.com/google.rpc.';

/**
 * A refusal as Google's SDKs expect it. Faults on this side name the request id, for the operator's
 * log.
 */
export function renderError(refusal: Refusal, requestId?: string): RenderedError {
  return rendered(refusal, errorJson(refusal, requestId));
}

/** The same where the client expects an array of replies. */
export function renderErrorInArray(refusal: Refusal, requestId?: string): RenderedError {
  return rendered(refusal, `[${errorJson(refusal, requestId)}]`);
}

/** A refusal as an event of a stream that has begun. */
export function renderErrorEvent(refusal: Refusal, requestId?: string): string {
  return `data: ${errorJson(refusal, requestId)}\n\n`;
}

function rendered(refusal: Refusal, json: string): RenderedError {
  const { status } = ERROR_CATALOGUE[refusal.refused];
  return { status, bytes: Buffer.from(json), shouldRetry: mayLaterSucceed(refusal) };
}

/** Returns an error as the JSON text of its object. */
export function errorJson(refusal: Refusal, requestId?: string): string {
  const { status: code } = ERROR_CATALOGUE[refusal.refused];
  const named = code >= SERVER_FAULT_STATUS_MIN && requestId !== undefined;
  const message = named ? `${refusal.message} (request id: ${requestId})` : refusal.message;
  const status = RPC_STATUSES.get(code) ?? 'UNKNOWN';
  return JSON.stringify({ error: { code, message, status, details: detailsOf(refusal, code) } });
}

function detailsOf(refusal: Refusal, code: number): OwnJsonObject[] {
  const { refused, param, message, retryAfterMs } = refusal;
  const reason = refused.toUpperCase();
  const details: OwnJsonObject[] = [{ '@type': `${TYPE}ErrorInfo`, reason, domain: 'weir' }];
  if (param !== null) {
    const fieldViolations = [{ field: param, description: message }];
    details.push({ '@type': `${TYPE}BadRequest`, fieldViolations });
  }
  if (code === TOO_MUCH_STATUS && (retryAfterMs === null || retryAfterMs > WAITED_FOR_MS_MAX)) {
    // Without a quota of a day Gemini CLI tries again for minutes.
    const quotaId = `${reason}_PerDay`;
    const violations = [{ subject: 'api_key', quotaId, description: message }];
    details.push({ '@type': `${TYPE}QuotaFailure`, violations });
  }
  if (retryAfterMs !== null) {
    const retryDelay = `${Math.max(1, Math.ceil(retryAfterMs / 1000))}s`;
    details.push({ '@type': `${TYPE}RetryInfo`, retryDelay });
  }
  return details;
}
