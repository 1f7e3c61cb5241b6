import type { Dispatcher } from 'undici';
import { textFault } from '@weir/shared/api/text-faults';
import type {
  UpstreamFailure,
  UpstreamFailureCode,
} from '../../platform/errors/upstream-failure.ts';
import { CREDENTIAL_HEADERS } from '../../providers/credential-headers.ts';

const FAILURES_BY_UNDICI_CODE: Readonly<Record<string, UpstreamFailureCode>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'first_byte_timeout',
  UND_ERR_BODY_TIMEOUT: 'idle_timeout',
  ECONNREFUSED: 'connect_failed',
  ENOTFOUND: 'connect_failed',
  EAI_AGAIN: 'connect_failed',
  EHOSTUNREACH: 'connect_failed',
  ENETUNREACH: 'connect_failed',
  ERR_ADDRESS_REFUSED: 'address_refused',
};

/**
 * Reports whether the other side ended the connection. Excludes what undici ends one for, such as
 * a head that it does not understand: an upstream that sent that has had the request.
 */
export function isConnectionEnd(error: Error): boolean {
  const code = 'code' in error ? error.code : '';
  if (code === 'UND_ERR_SOCKET') return error.message === 'other side closed';
  return code === 'ECONNRESET' || code === 'EPIPE';
}

/** undici sends no header with a character that no header can have, and names it in its words. */
export function credentialFault(
  error: Error,
  headers: Dispatcher.DispatchOptions['headers'],
): UpstreamFailure | undefined {
  if (!('code' in error) || error.code !== 'UND_ERR_INVALID_ARG') return undefined;
  const [, name = ''] = /^invalid (.+) header$/.exec(error.message) ?? [];
  if (!CREDENTIAL_HEADERS.has(name) || !Array.isArray(headers)) return undefined;
  const value: unknown = headers[headers.indexOf(name) + 1];
  const credential = typeof value === 'string' ? value.replace(/^Bearer /, '') : '';
  const fault = textFault(credential, 'ascii') ?? 'cannot be sent in a header.';
  return {
    failed: 'credential_unusable',
    detail: `A credential of this channel ${fault} Then enter it again on the channel’s page.`,
  };
}

/** Returns why undici got no reply, or not all of one. */
export function failureFrom(error: Error, headKnown: boolean): UpstreamFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = FAILURES_BY_UNDICI_CODE[code];
  if (known !== undefined) return { failed: known, detail: error.message };
  const tls = code.startsWith('ERR_TLS') || code.includes('CERT');
  const failed = tls && !headKnown ? 'connect_failed' : 'connection_broke';
  return { failed, detail: `${code} ${error.message}`.trim() };
}
