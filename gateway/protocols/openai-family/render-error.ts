import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import { mayLaterSucceed } from '../../platform/errors/may-later-succeed.ts';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { RenderedError } from '../dialect.ts';

const SERVER_FAULT_STATUS_MIN = 500;

let latest: { readonly refusal: Refusal; readonly rendered: RenderedError } | undefined;

/**
 * A refusal as OpenAI's SDKs expect it. Faults on this side name the request id, for the operator's
 * log.
 */
export function renderError(refusal: Refusal, requestId?: string): RenderedError {
  // A flood of one mistake is answered with one value again and again: it is rendered once.
  if (latest?.refusal === refusal) return latest.rendered;
  const { status } = ERROR_CATALOGUE[refusal.refused];
  const bytes = Buffer.from(errorJson(refusal, requestId));
  const rendered = { status, bytes, shouldRetry: mayLaterSucceed(refusal) };
  if (status < SERVER_FAULT_STATUS_MIN) latest = { refusal, rendered };
  return rendered;
}

/** A refusal as the last event of a stream that has begun. `[DONE]` does not follow it. */
export function renderErrorEvent(refusal: Refusal, requestId?: string): string {
  return `data: ${errorJson(refusal, requestId)}\n\n`;
}

function errorJson(refusal: Refusal, requestId: string | undefined): string {
  const { status, type } = ERROR_CATALOGUE[refusal.refused];
  const named = status >= SERVER_FAULT_STATUS_MIN && requestId !== undefined;
  const message = named ? `${refusal.message} (request id: ${requestId})` : refusal.message;
  return JSON.stringify({
    error: { message, type, param: refusal.param, code: refusal.refused },
  });
}
