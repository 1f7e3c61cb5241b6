import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import { mayLaterSucceed } from '../../../platform/errors/may-later-succeed.ts';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { RenderedError } from '../../dialect.ts';
import { namedEvent } from '../wire/beginning.ts';

interface ErrorKind {
  readonly status: number;
  /** The `type` of Anthropic's error objects. */
  readonly type: string;
}

/**
 * Anthropic's error types by the status of the catalogue. Its clients know "come back later" as
 * 529; statuses that Anthropic does not use keep their own, which SDKs treat by their hundreds.
 */
const KINDS: ReadonlyMap<number, ErrorKind> = new Map([
  [401, { status: 401, type: 'authentication_error' }],
  [402, { status: 402, type: 'billing_error' }],
  [403, { status: 403, type: 'permission_error' }],
  [404, { status: 404, type: 'not_found_error' }],
  [413, { status: 413, type: 'request_too_large' }],
  [429, { status: 429, type: 'rate_limit_error' }],
  [500, { status: 500, type: 'api_error' }],
  [501, { status: 501, type: 'not_supported' }],
  [502, { status: 502, type: 'api_error' }],
  [503, { status: 529, type: 'overloaded_error' }],
  [504, { status: 504, type: 'timeout_error' }],
]);

function kindOf({ refused }: Refusal): ErrorKind {
  const { status } = ERROR_CATALOGUE[refused];
  return KINDS.get(status) ?? { status, type: 'invalid_request_error' };
}

/** Returns a refusal as Anthropic's SDKs expect it. */
export function renderError(refusal: Refusal, requestId?: string): RenderedError {
  return {
    status: kindOf(refusal).status,
    bytes: Buffer.from(errorJson(refusal, requestId)),
    shouldRetry: mayLaterSucceed(refusal),
  };
}

/** Returns a refusal as the last event of a stream that has begun. */
export function renderErrorEvent(refusal: Refusal, requestId?: string): string {
  return namedEvent('error', errorJson(refusal, requestId));
}

/**
 * Refusals of fields that Anthropic's SDKs go on without, in the words by which they know that they
 * may: `lib/internal/threads/ThreadState` of its package for JavaScript.
 */
const FIELD_DETAILS: ReadonlyMap<string, JsonObject> = new Map([
  ['thread', { error_code: 'thread_unsupported_request', unsupported: ['thread'] }],
]);

function detailsOf({ refused, param, vendorDetails }: Refusal): JsonObject {
  const ofField = param === null ? undefined : FIELD_DETAILS.get(param);
  return vendorDetails ?? ofField ?? { error_code: refused };
}

function errorJson(refusal: Refusal, requestId: string | undefined): string {
  const error = {
    type: kindOf(refusal).type,
    message: messageOf(refusal),
    details: detailsOf(refusal),
  };
  return JSON.stringify({ type: 'error', error, request_id: requestId });
}

/** Anthropic's own messages for a prompt that is too long; Claude Code looks for these words. */
const OVERFLOW = /prompt is too long|input is too long|exceed context limit/i;
/** The model's limit and the prompt's tokens, as OpenAI and Gemini name them. */
const OPENAI_OVERFLOW = /maximum context length is (\d+) tokens\D+(\d+) tokens/;
const GEMINI_OVERFLOW =
  /token count \((\d+)\) exceeds the maximum number of tokens allowed \((\d+)\)/;

/**
 * Claude Code shortens a conversation only if the error says in these words that it is too long.
 */
export function messageOf({ refused, message }: Refusal): string {
  if (refused !== 'context_length_exceeded' || OVERFLOW.test(message)) return message;
  const [, limit, tokens] = OPENAI_OVERFLOW.exec(message) ?? [];
  if (limit !== undefined && tokens !== undefined) return overflow(tokens, limit);
  const [, found, most] = GEMINI_OVERFLOW.exec(message) ?? [];
  if (found !== undefined && most !== undefined) return overflow(found, most);
  return `prompt is too long: ${message}`;
}

function overflow(tokens: string, limit: string): string {
  return `prompt is too long: ${tokens} tokens > ${limit} maximum`;
}
