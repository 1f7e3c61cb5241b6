import { randomUUID } from 'node:crypto';
import { ERROR_CATALOGUE, type ErrorCode } from '@weir/shared/api/error-catalogue';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import { renderError as renderOpenAiError } from '../../openai-family/render-error.ts';
import type { RenderedError } from '../../dialect.ts';
import type { BegunReply } from '../../stream-reader.ts';

/**
 * Statuses that Codex takes as they are meant. It sends a request again up to five times after a
 * 402 or a 403, and once only after these.
 */
const STATUSES: ReadonlyMap<number, number> = new Map([
  [402, 429],
  [403, 400],
]);

/** The vendor's codes for refusals of fields that refer to stored objects. */
const FIELD_CODES: ReadonlyMap<string, string> = new Map([
  ['previous_response_id', 'previous_response_not_found'],
  ['conversation', 'unsupported_parameter'],
  ['prompt', 'unsupported_parameter'],
  ['background', 'unsupported_parameter'],
]);

/** Codes by which clients know that sending the request again is of no use, or when it is. */
const EVENT_CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  insufficient_balance: 'insufficient_quota',
  account_budget_exceeded: 'insufficient_quota',
  team_budget_exceeded: 'insufficient_quota',
  member_budget_exceeded: 'insufficient_quota',
  key_budget_exceeded: 'insufficient_quota',
  rate_limit_exceeded: 'rate_limit_exceeded',
  token_rate_limit_exceeded: 'rate_limit_exceeded',
  concurrency_limit_exceeded: 'rate_limit_exceeded',
  upstream_rate_limited: 'rate_limit_exceeded',
  overloaded: 'server_is_overloaded',
  no_channel_available: 'server_is_overloaded',
  context_length_exceeded: 'context_length_exceeded',
  content_policy_violation: 'invalid_prompt',
  unsupported_parameter: 'unsupported_parameter',
  unsupported_value: 'unsupported_value',
  upstream_rejected: 'invalid_prompt',
  invalid_value: 'invalid_prompt',
};

const FUNDS_STATUS = 402;

/** A refusal as clients of Responses expect it. */
export function renderError(refusal: Refusal, requestId?: string): RenderedError {
  const { status } = ERROR_CATALOGUE[refusal.refused];
  return render(refusal, STATUSES.get(status), requestId);
}

/**
 * A refusal as clients on Vercel's AI SDK expect it, such as Cline and opencode. They send a
 * request again for minutes after a 429, whatever its code and headers are, and stop at a 402.
 */
export function renderErrorForAiSdk(refusal: Refusal, requestId?: string): RenderedError {
  const { status } = ERROR_CATALOGUE[refusal.refused];
  return render(refusal, status === FUNDS_STATUS ? status : STATUSES.get(status), requestId);
}

function render(
  refusal: Refusal,
  shown: number | undefined,
  requestId: string | undefined,
): RenderedError {
  const { status } = ERROR_CATALOGUE[refusal.refused];
  const code = vendorCode(refusal);
  if (shown === undefined && code === refusal.refused) return renderOpenAiError(refusal, requestId);
  const { type } = ERROR_CATALOGUE[refusal.refused];
  const { message, param } = refusal;
  const bytes = Buffer.from(JSON.stringify({ error: { message, type, param, code } }));
  // A missing model is a 404; so is one that the key may not use.
  const isModel = refusal.refused === 'model_not_allowed';
  return { status: isModel ? 404 : (shown ?? status), bytes, shouldRetry: false };
}

function vendorCode({ refused, param }: Refusal): string {
  if (ERROR_CATALOGUE[refused].status === FUNDS_STATUS) return 'insufficient_quota';
  if (refused !== 'invalid_value' || param === null) return refused;
  return FIELD_CODES.get(param) ?? (param.endsWith('file_id') ? 'unsupported_parameter' : refused);
}

/** The part of a response that is known while its stream is under way. */
export interface KnownResponse {
  readonly id: string;
  readonly createdAtSeconds: number;
  readonly model: string;
  readonly output: readonly unknown[];
  readonly usage: OwnJsonObject | null;
}

/** A response as the events of its stream have it. */
export function responseObject(
  { id, createdAtSeconds, model, output, usage }: KnownResponse,
  status: 'in_progress' | 'failed' | 'incomplete' | 'completed',
  error: OwnJsonObject | null = null,
): OwnJsonObject {
  const incomplete = status === 'incomplete' ? { reason: 'max_output_tokens' } : null;
  return {
    id,
    object: 'response',
    created_at: createdAtSeconds,
    status,
    error,
    incomplete_details: incomplete,
    model,
    output,
    usage,
  };
}

/** The error of a response that failed. */
export function responseError({ refused, message }: Pick<Refusal, 'refused' | 'message'>) {
  return { code: EVENT_CODES[refused] ?? 'server_error', message };
}

/** An event of a stream. */
export function eventText(type: string, sequenceNumber: number, fields: object): string {
  const data = JSON.stringify({ type, sequence_number: sequenceNumber, ...fields });
  return `event: ${type}\ndata: ${data}\n\n`;
}

export function newResponseId(): string {
  return `resp_${randomUUID().replaceAll('-', '')}`;
}

/**
 * A refusal as the end of a stream of which the client has seen no content. Readers of the official
 * SDK fail on a stream that does not begin with `response.created`, and on a second response.
 */
export function renderErrorEvent(
  refusal: Refusal,
  requestId?: string,
  begun: BegunReply | null = null,
): string {
  const { status } = ERROR_CATALOGUE[refusal.refused];
  const named = status >= 500 && requestId !== undefined;
  const message = named ? `${refusal.message} (request id: ${requestId})` : refusal.message;
  const known = {
    id: begun?.id ?? newResponseId(),
    createdAtSeconds: begun?.createdAtSeconds ?? Math.floor(Date.now() / 1000),
    model: '',
    output: [],
    usage: null,
  };
  const error = responseError({ refused: refusal.refused, message });
  const created = { response: responseObject(known, 'in_progress') };
  return (
    (begun === null ? eventText('response.created', 0, created) : '') +
    eventText('response.failed', 1, { response: responseObject(known, 'failed', error) })
  );
}
