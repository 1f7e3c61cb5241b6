import { refuse, type Refusal } from '../platform/errors/refusal.ts';
import type { Exchange, HeaderList } from './http/exchange.ts';
import { renderError, renderErrorEvent } from '../protocols/openai-chat/render-error.ts';
import type { RequestTrace } from './request-trace.ts';

type Header = HeaderList[number];

const JSON_TYPE: Header = ['content-type', 'application/json'];
const NO_RETRY: Header = ['x-should-retry', 'false'];

export function jsonHeaders(requestId: string): Header[] {
  return [JSON_TYPE, ['x-request-id', requestId]];
}

/**
 * Answers a refusal in the caller's dialect, with the headers SDKs look at before they retry. A stream that has
 * already begun, be it only with a keep-alive comment, gets it as an error event.
 */
export function replyRefusal(
  exchange: Exchange,
  trace: RequestTrace,
  refusal: Refusal,
  extra: HeaderList = [],
): void {
  trace.refused = refusal.refused;
  if (exchange.streaming) {
    trace.httpStatus = 200;
    exchange.endStream(renderErrorEvent(refusal, trace.requestId));
    return;
  }
  const { status, bytes, shouldRetry } = renderError(refusal, trace.requestId);
  trace.httpStatus = exchange.aborted ? 0 : status;
  const headers = jsonHeaders(trace.requestId);
  if (!shouldRetry) headers.push(NO_RETRY);
  if (refusal.retryAfterMs !== null) {
    headers.push(['retry-after', String(Math.max(1, Math.ceil(refusal.retryAfterMs / 1000)))]);
    headers.push(['retry-after-ms', String(Math.max(1, Math.ceil(refusal.retryAfterMs)))]);
  }
  exchange.reply(status, extra.length === 0 ? headers : [...headers, ...extra], bytes);
}

/** The last resort after a broken invariant: the client hears of it whatever state the reply is in. */
export function endInError(exchange: Exchange, trace: RequestTrace): void {
  replyRefusal(
    exchange,
    trace,
    refuse(
      'internal_error',
      `Something broke inside Weir. Tell the operator the request id ${trace.requestId}.`,
    ),
  );
}
