import { redactSecrets } from '@weir/shared/redact-secrets';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import type { HeaderList } from '../http/exchange-context.ts';
import type { ErrorDialect, ReplyDialect } from '../../protocols/dialect.ts';
import type { BegunReply } from '../../protocols/stream-reader.ts';
import type { RequestTrace } from '../request-trace.ts';

type Header = HeaderList[number];

/** A second header for the request id, which the protocol's SDKs read. */
type RequestIdHeader = Pick<ReplyDialect, 'requestIdHeader'>;

const JSON_TYPE: Header = ['content-type', 'application/json'];
const NO_RETRY: Header = ['x-should-retry', 'false'];

/** The headers of every whole reply. @param contentType absent: JSON */
export function replyHeaders(
  requestId: string,
  { requestIdHeader }: RequestIdHeader = {},
  contentType?: string,
): Header[] {
  const type: Header = contentType === undefined ? JSON_TYPE : ['content-type', contentType];
  const headers: Header[] = [type, ['x-request-id', requestId]];
  if (requestIdHeader !== undefined) headers.push([requestIdHeader, requestId]);
  return headers;
}

/** The parts of an exchange that a refusal is written to. */
export interface RefusalReply {
  readonly exchange: Exchange;
  readonly trace: RequestTrace;
  readonly dialect: ErrorDialect & RequestIdHeader & Pick<ReplyDialect, 'breaksOff'>;
  /** The part of the reply that the client received before any upstream began one. */
  readonly begun?: BegunReply | null;
}

/**
 * Sends a refusal in the client's dialect, with the headers that SDKs look at before they retry. A
 * stream that has begun, if only with a keep-alive comment, gets it as an error event.
 */
export function replyRefusal(
  { exchange, trace, dialect, begun }: RefusalReply,
  reason: Refusal,
  extra: HeaderList = [],
): void {
  const refusal = withoutSecrets(reason);
  trace.refused = refusal.refused;
  // Set already where it may quote the prompt.
  trace.refusalMessage ??= refusal.message;
  if (exchange.streaming) {
    trace.httpStatus = 200;
    if (dialect.breaksOff === true) exchange.breakOff();
    else exchange.endStream(dialect.renderErrorEvent(refusal, trace.requestId, begun));
    return;
  }
  const {
    status,
    bytes,
    shouldRetry,
    headers: more = [],
  } = dialect.renderError(refusal, trace.requestId);
  trace.httpStatus = exchange.aborted ? 0 : status;
  const headers = [...replyHeaders(trace.requestId, dialect), ...more];
  if (!shouldRetry) headers.push(NO_RETRY);
  if (refusal.retryAfterMs !== null) {
    headers.push(['retry-after', String(Math.max(1, Math.ceil(refusal.retryAfterMs / 1000)))]);
    headers.push(['retry-after-ms', String(Math.max(1, Math.ceil(refusal.retryAfterMs)))]);
  }
  exchange.reply(status, extra.length === 0 ? headers : [...headers, ...extra], bytes);
}

/**
 * Messages quote what the client or the upstream has sent. Those about a key never do, and come in
 * floods.
 */
function withoutSecrets(refusal: Refusal): Refusal {
  const { refused, message, param } = refusal;
  if (refused === 'invalid_api_key' || refused === 'missing_api_key') return refusal;
  const shown = redactSecrets(message);
  const shownParam = param === null ? null : redactSecrets(param);
  return shown === message && shownParam === param
    ? refusal
    : { ...refusal, message: shown, param: shownParam };
}

/** The last resort after a broken invariant: an error for the client, whatever it has got. */
export function endInError(reply: RefusalReply): void {
  replyRefusal(reply, brokenRefusal(reply.trace.requestId));
}

/** The refusal of a request that has broken an invariant. */
export function brokenRefusal(requestId: string): Refusal {
  return refuse(
    'internal_error',
    `Something broke inside Weir. Report the request id ${requestId} to the operator.`,
  );
}
