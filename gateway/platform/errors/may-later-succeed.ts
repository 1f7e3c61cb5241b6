import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import type { Refusal } from './refusal.ts';

/**
 * Statuses that mean "the same request may succeed later". SDKs also retry 409 and every 5xx; those
 * that cannot change by waiting (409 conflicts, 501) are marked as final.
 */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

const TOO_MUCH_STATUS = 429;

/**
 * Reports whether the same request may succeed later. A limit without a time is one that the
 * request can never keep, such as a prompt beyond a minute's tokens.
 */
export function mayLaterSucceed({ refused, retryAfterMs }: Refusal): boolean {
  const { status } = ERROR_CATALOGUE[refused];
  if (status === TOO_MUCH_STATUS && retryAfterMs === null) return false;
  return RETRYABLE_STATUSES.has(status);
}
