import type { HoldOutcome, HoldRefusal, Payer } from './ledger.ts';

/**
 * Refusals that need no store: states of the account and the key, which travel with the payer. Decided
 * before the call, so that a suspended customer's traffic costs the store nothing.
 */
export function refusalByStatus(payer: Payer, nowMs: number): HoldRefusal | undefined {
  const { account, key } = payer;
  if (account.status !== 'active') return 'account_suspended';
  if (key.status !== 'active') return 'key_disabled';
  if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return 'key_expired';
  return undefined;
}

/** A refusal that no waiting and no smaller amount changes. */
export function finalRefusal(code: HoldRefusal): HoldOutcome {
  return { code, retryAfterMs: null, affordableNanoUsd: 0 };
}

/** Why a hold is refused while as much usage as may wait (USAGE_BACKLOG_MAX) has not reached Postgres. */
export const USAGE_BACKLOG = 'usage_backlog';

/** A moved clock says the time itself from here on; nothing moves it by thirty years. */
const ABSOLUTE_MS = 1_000_000_000_000;

/** The time by a clock that tests may have moved (see `clockOffsetMs` of the ledgers); 0 is the real one. */
export function movedClockMs(offsetMs: number): number {
  return offsetMs < ABSOLUTE_MS ? Date.now() + offsetMs : offsetMs;
}
