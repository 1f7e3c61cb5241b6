import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import type { Refusal } from '../../platform/errors/refusal.ts';
import { NO_CLOSE_CODE, type SocketEnd } from '../upstream/upstream-socket.ts';

/** Codes of RFC 6455, 7.4.1, and of its registry. */
export const NORMAL = 1000;
export const GOING_AWAY = 1001;
const POLICY = 1008;
const TOO_LONG = 1009;
const SERVER_ERROR = 1011;
const TRY_LATER = 1013;

/** A close has room for so many bytes. */
const REASON_BYTES_MAX = 123;

/** Returns the code with which a session closes that may not go on. */
export function closeCodeOf(refusal: Refusal): number {
  const { status } = ERROR_CATALOGUE[refusal.refused];
  return status === 429 || status >= 500 ? TRY_LATER : POLICY;
}

/** Reports whether a refused turn ends its session: no later one of this key has a chance. */
export function endsSession({ refused }: Refusal): boolean {
  const { status } = ERROR_CATALOGUE[refused];
  return status === 401 || status === 402 || status === 403;
}

/** Cuts a reason to what fits into a close, at a whole character. */
export function closeReason(text: string): string {
  let reason = text.slice(0, REASON_BYTES_MAX);
  while (Buffer.byteLength(reason) > REASON_BYTES_MAX) reason = reason.slice(0, -1);
  return reason;
}

/** uWS sends a close without a code for it. */
const WITHOUT_CODE = 0;
/** Codes of RFC 6455 and its registry that may be sent; from 3000 on they are for applications. */
const SENDABLE = new Set([1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014]);
const OF_APPLICATIONS = [3_000, 4_999] as const;

/**
 * Returns the code with which the client's connection closes behind its upstream's. Codes that
 * only report something must not be sent: clients would break off themselves.
 */
export function forwardedCode({ code, isBroken }: SocketEnd): number {
  if (isBroken) return code === TOO_LONG ? TOO_LONG : SERVER_ERROR;
  if (code === NO_CLOSE_CODE) return WITHOUT_CODE;
  const [first, last] = OF_APPLICATIONS;
  return SENDABLE.has(code) || (code >= first && code <= last) ? code : SERVER_ERROR;
}
