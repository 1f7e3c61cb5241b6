import {
  refuse,
  UPSTREAM_RETRY_AFTER_MS_MAX,
  type Refusal,
} from '../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../platform/json/json-value.ts';
import { errorBody, errorOf, isWrongPlace } from '../error-body.ts';
import { limitWaitMs } from '../limit-wait.ts';
import { isContextOverflow, namedStatus } from '../named-status.ts';
import {
  CHANNEL_FAULT,
  CREDENTIAL_FAULT,
  CREDENTIAL_STATUSES,
  MESSAGE_LETTERS_MAX,
  MODEL_FAULT,
  MODEL_STATUSES,
  ofRequest,
  REQUEST_TOO_LARGE,
  type Verdict,
} from '../verdict.ts';

const PROMPT_BLOCKED = refuse(
  'content_policy_violation',
  'The upstream that serves this model has blocked the prompt. Nothing was charged; change the input.',
);

/** Google's names for the operator's project. */
const OPERATOR_IDS = /\b(projects\/|project_number:|project (?=\w*[\d-]))[\w-]+/g;

/** A wait for a limit that does not say how long it is in force. */
const RETRY_AFTER_MS = 1_000;

/** HTTP status by google.rpc.Code: https://cloud.google.com/apis/design/errors. */
const STATUSES: ReadonlyMap<unknown, number> = new Map([
  ['INVALID_ARGUMENT', 400],
  ['FAILED_PRECONDITION', 400],
  ['OUT_OF_RANGE', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['RESOURCE_EXHAUSTED', 429],
  ['INTERNAL', 500],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
]);

/** google.rpc.ErrorInfo of a 400 that is about our key. */
const KEY_REASONS: ReadonlySet<unknown> = new Set(['API_KEY_INVALID', 'API_KEY_EXPIRED']);

/**
 * Replies without anything usable in them, for which the model is at fault: it may do better next
 * time.
 */
const FAILED_REASONS: ReadonlySet<unknown> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
]);

/** Returns what a reply says of a prompt that was blocked: it has no candidates. */
export function promptBlock(reply: JsonObject): JsonObject | undefined {
  const { promptFeedback: feedback, candidates } = reply;
  if (!isJsonObject(feedback) || (Array.isArray(candidates) && candidates.length > 0)) {
    return undefined;
  }
  return stringOf(feedback['blockReason']) === '' ? undefined : feedback;
}

/**
 * Judges a status other than 2xx. `body` is the error body as far as it was read. A 400 is about
 * the request, unless it names our key or our account.
 */
export function classifyError(status: number, retryAfterMs: number | null, body: Buffer): Verdict {
  if (isWrongPlace(status, body)) return CHANNEL_FAULT;
  return judge(errorOf(errorBody(body)), status, retryAfterMs);
}

/** Judges a body under a 2xx: an error, a prompt that was blocked, a reply that came to nothing. */
export function classifyReply(body: Buffer): Verdict {
  const reply = errorBody(body);
  if (promptBlock(reply) !== undefined) return ofRequest(PROMPT_BLOCKED);
  const candidates: readonly unknown[] = Array.isArray(reply['candidates'])
    ? reply['candidates']
    : [];
  if (candidates.some((one) => isJsonObject(one) && FAILED_REASONS.has(one['finishReason']))) {
    return { ...CHANNEL_FAULT, health: 'unknown' };
  }
  const error = errorOf(reply);
  const { code, status } = error;
  const named = typeof code === 'number' && code >= 400 ? code : STATUSES.get(status);
  return named === undefined ? CHANNEL_FAULT : judge(error, named, null);
}

function judge(error: JsonObject, reported: number, retryAfterMs: number | null): Verdict {
  const status = namedStatus(error) ?? reported;
  if (CREDENTIAL_STATUSES.has(status) || isOfKey(error)) return CREDENTIAL_FAULT;
  if (status === 429) return limited(error, retryAfterMs);
  if (MODEL_STATUSES.has(status)) return MODEL_FAULT;
  if (status === 413 || isTooLarge(error)) return REQUEST_TOO_LARGE;
  // 499 says that we had hung up.
  const isOfRequest = status >= 400 && status < 500 && ![408, 409, 499].includes(status);
  return isOfRequest ? ofRequest(rejected(error)) : CHANNEL_FAULT;
}

function isTooLarge({ message }: JsonObject): boolean {
  return stringOf(message).startsWith('Request payload size exceeds the limit');
}

function isOfKey(error: JsonObject): boolean {
  return detailsOf(error).some(({ reason }) => KEY_REASONS.has(reason));
}

function limited(error: JsonObject, retryAfterMs: number | null): Verdict {
  const waitMs = retryDelayMs(error) ?? retryAfterMs ?? limitWaitMs(error) ?? RETRY_AFTER_MS;
  const refusal = refuse(
    'upstream_rate_limited',
    'The upstream that serves this model is limiting requests. Wait as long as Retry-After says.',
    { retryAfterMs: Math.min(waitMs, UPSTREAM_RETRY_AFTER_MS_MAX) },
  );
  return { health: 'limited', failover: true, scope: 'credential', refusal };
}

/** google.rpc.RetryInfo, such as "12.5s"; of a quota of a day the longest wait there is. */
function retryDelayMs(error: JsonObject): number | undefined {
  for (const { retryDelay, violations } of detailsOf(error)) {
    if (Array.isArray(violations) && violations.some(isOfDay)) return UPSTREAM_RETRY_AFTER_MS_MAX;
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(stringOf(retryDelay))?.[1];
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1_000);
  }
  return undefined;
}

function isOfDay(violation: unknown): boolean {
  return isJsonObject(violation) && stringOf(violation['quotaId']).includes('PerDay');
}

/** The upstream refused the request itself: its words tell the client what to change. */
function rejected(error: JsonObject): Refusal {
  const words = stringOf(error['message']) || 'The upstream refused the request as invalid.';
  const message = words.replace(OPERATOR_IDS, '$1…').slice(0, MESSAGE_LETTERS_MAX);
  const param = fieldOf(error);
  return refuse(
    isContextOverflow(error) ? 'context_length_exceeded' : 'upstream_rejected',
    message,
    param === '' ? {} : { param },
  );
}

/** google.rpc.BadRequest names the field. */
function fieldOf(error: JsonObject): string {
  for (const { fieldViolations } of detailsOf(error)) {
    const first: unknown = Array.isArray(fieldViolations) ? fieldViolations[0] : undefined;
    if (isJsonObject(first)) return stringOf(first['field']);
  }
  return '';
}

function detailsOf({ details }: JsonObject): readonly JsonObject[] {
  return Array.isArray(details) ? details.filter(isJsonObject) : [];
}
