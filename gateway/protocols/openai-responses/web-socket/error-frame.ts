import { isOwnJsonObject, parseOwnObject } from '../../../platform/json/json-value.ts';
import type { WholeReply } from '../../web-socket.ts';

const RATE_LIMITED = 429;
/** The code of refusals for lack of money: its status over HTTP is 429 for Codex. */
const FUNDS_CODE = 'insufficient_quota';

/**
 * Returns a refusal as an `error` event. Codex shows one of status 400 once; after any other it
 * opens six connections in seven seconds or more, which only makes sense where waiting helps.
 */
export function errorFrame({ status, headers, body }: WholeReply): string {
  const reply = parseOwnObject(body);
  const error = isOwnJsonObject(reply?.['error']) ? reply['error'] : { message: '' };
  const passes = status >= 500 || (status === RATE_LIMITED && error['code'] !== FUNDS_CODE);
  return JSON.stringify({
    type: 'error',
    status: passes ? status : 400,
    error,
    headers: Object.fromEntries(headers),
  });
}
