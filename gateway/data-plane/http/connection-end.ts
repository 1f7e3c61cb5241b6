import { refuse, type Refusal } from '../../platform/errors/refusal.ts';

/**
 * uWS closes connections that have been idle for 8 to 12 s, a time that is compiled into it. A
 * client that keeps them longer would now and then send into one that is just being closed, and may
 * not repeat a POST: so it is sent a shorter time.
 */
export const KEEP_ALIVE_HINT = 'timeout=5';

/** `close` among the options of a Connection header (RFC 9110, 7.6.1). */
const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;

/**
 * Reports whether the client ends its connection with this request.
 * @param connection the Connection header; '' when absent
 */
export function asksToClose(connection: string): boolean {
  if (connection === '' || connection === 'keep-alive') return false;
  return connection === 'close' || CLOSE.test(connection);
}

/** uWS closes the connection by itself behind a reply to any value of this length. */
const UWS_CLOSE_LENGTH = 'close'.length;

export function uwsCloses(connection: string): boolean {
  return connection.length === UWS_CLOSE_LENGTH;
}

/**
 * Refuses a transfer coding other than chunked: uWS reads the body as chunked whatever the header
 * says, and so takes compressed bytes for text.
 * @param coding the Transfer-Encoding header; '' when absent
 */
export function checkTransferCoding(coding: string): Refusal | undefined {
  if (coding === '' || coding === 'chunked' || coding.trim().toLowerCase() === 'chunked') {
    return undefined;
  }
  return refuse(
    'unsupported_media_type',
    'The Transfer-Encoding must be chunked alone. Send the body with a Content-Length, or in chunks.',
  );
}
