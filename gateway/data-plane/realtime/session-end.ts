import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import type { Refusal } from '../../platform/errors/refusal.ts';
import { NOT_CLOSED, type SocketEnd } from '../upstream/upstream-socket.ts';

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

/** Reports whether an upstream has ended the session by itself: its code is for the client. */
export function isClosedByUpstream({ code }: SocketEnd): boolean {
  const isSendable = code >= NORMAL && code < 5_000 && code !== TOO_LONG;
  return isSendable && !(code > 1_003 && code < 1_007);
}

/** Returns the code for a client whose upstream broke off, or broke the rules. */
export function brokenCode({ code }: SocketEnd): number {
  return code === NOT_CLOSED || code !== TOO_LONG ? SERVER_ERROR : TOO_LONG;
}
