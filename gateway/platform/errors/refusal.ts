import { ERROR_CATALOGUE, type ErrorCode } from '@weir/shared/api/error-catalogue';
import type { JsonObject } from '../json/json-value.ts';

/**
 * An upstream's Retry-After beyond this is not believed: it must not be able to switch itself off
 * for days, and there are SDKs that wait as long as it says.
 */
export const UPSTREAM_RETRY_AFTER_MS_MAX = 600_000;

/**
 * An expected failure as a value. Rooms answer with it instead of throwing: an attack of refusals
 * must cost less than a success, and a thrown Error pays for a stack trace that no one reads.
 */
export interface Refusal {
  readonly refused: ErrorCode;
  /** Says what the person can do. Never carries a secret, a prompt or another customer's data. */
  readonly message: string;
  /** The field of the request that is at fault, when there is one. */
  readonly param: string | null;
  /**
   * Time until a retry can succeed; null when it cannot, or that is unknown. For a limit, null
   * means never.
   */
  readonly retryAfterMs: number | null;
  /**
   * Details that a vendor adds to its errors for its own SDKs, which act on them by themselves. The
   * dialect of that vendor passes them on; others have no place for them.
   */
  readonly vendorDetails?: JsonObject | undefined;
}

export function refuse(
  code: ErrorCode,
  message: string = ERROR_CATALOGUE[code].title,
  details: { param?: string; retryAfterMs?: number | null; vendorDetails?: JsonObject } = {},
): Refusal {
  const refusal = {
    refused: code,
    message,
    param: details.param ?? null,
    retryAfterMs: details.retryAfterMs ?? null,
  };
  const { vendorDetails } = details;
  return vendorDetails === undefined ? refusal : { ...refusal, vendorDetails };
}

export function isRefusal(value: object): value is Refusal {
  // Not `in`: on objects of many shapes V8 remembers what it has read of them, and looks up
  // what is in them each time.
  return (value as Partial<Refusal>).refused !== undefined;
}
