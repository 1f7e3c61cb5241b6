import { ledgerNowMs } from '../platform/clock/store-clock.ts';
import type { HoldOutcome, HoldRefusal, Payer } from './ledger.ts';

/**
 * Refusals for the status of account and key, which travel with the payer. Decided before the call,
 * so that the traffic of a suspended customer costs the store nothing.
 */
export function refusalByStatus(
  payer: Payer,
  nowMs: number,
): Extract<HoldRefusal, 'account_suspended' | 'key_disabled' | 'key_expired'> | undefined {
  const { account, key } = payer;
  if (account.status !== 'active') return 'account_suspended';
  if (key.status !== 'active') return 'key_disabled';
  if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return 'key_expired';
  return undefined;
}

/** A refusal that neither waiting nor a smaller amount changes. */
export function finalRefusal(code: HoldRefusal): HoldOutcome {
  return { code, retryAfterMs: null, affordableNanoUsd: 0 };
}

/** The cause of refused holds while USAGE_BACKLOG_MAX usage records wait for Postgres. */
export const USAGE_BACKLOG = 'usage_backlog';

/** From here on a clock offset is the time itself; no test moves the clock by thirty years. */
const ABSOLUTE_MS = 1_000_000_000_000;

/**
 * The time on the ledger's clock, which tests may have moved (`clockOffsetMs` of the ledgers);
 * offset 0 is the clock as it is.
 */
export function movedClockMs(offsetMs: number): number {
  return offsetMs < ABSOLUTE_MS ? ledgerNowMs() + offsetMs : offsetMs;
}
