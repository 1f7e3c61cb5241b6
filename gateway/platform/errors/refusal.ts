import { ERROR_CATALOGUE, type ErrorCode } from '@weir/shared/error-catalogue';
import type { JsonObject } from '../json/json-value.ts';

/**
 * An upstream's Retry-After beyond this is not believed: it must not be able to switch itself off
 * for days, and there are SDKs that wait however long they are told.
 */
export const UPSTREAM_RETRY_AFTER_MS_MAX = 600_000;

/**
 * An expected failure as a value. Rooms answer with it instead of throwing: an attack of refusals
 * must cost less than a success, and a thrown Error pays for a stack nobody reads.
 */
export interface Refusal {
  readonly refused: ErrorCode;
  /** Tells the person what to do. Never carries a secret, a prompt or another customer's data. */
  readonly message: string;
  /** The field of the request that is at fault, when there is one. */
  readonly param: string | null;
  /**
   * When a retry can succeed; null when it cannot, or nobody knows. Of a limit it is known: null
   * says that it never can.
   */
  readonly retryAfterMs: number | null;
  /**
   * What a vendor adds to its errors for its own SDKs, which act on it by themselves. The dialect
   * of that vendor passes it on; others have no place for it.
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
