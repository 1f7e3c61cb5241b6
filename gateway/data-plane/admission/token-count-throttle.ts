/** A count that ended in a refusal is paid for with so many times its own time. */
const PENALTY_FACTOR = 10;
/**
 * Penalty that may add up before an account has to wait: a client that lowers its output limit as
 * it was given may try again at once.
 */
const PENALTY_MS_MAX = 30_000;
/** Retry-After while another prompt of the account is being counted. */
const UNDER_WAY_RETRY_MS = 1_000;
/**
 * Smaller bodies are counted without a limit: that takes at most 40 ms, mostly far less than one,
 * and a client that spends its last cents on many parallel requests gets the exact refusal for
 * each.
 */
export const UNRATIONED_BYTES_MAX = 16 * 1024;
/** Accounts remembered; beyond it, those refused longest ago are forgotten. */
const ACCOUNTS_MAX = 10_000;

/**
 * Limits how often prompts of one account are counted for money. A count takes up to seconds of a
 * worker's time, and one that ends in a refusal costs its sender nothing: without a limit a key
 * with a cent would keep every worker busy.
 */
export class TokenCountThrottle {
  readonly #underWay = new Set<string>();
  readonly #penaltyUntilMs = new Map<string, number>();

  /** Begins a count and answers 0, or how long the account has to wait before it may. */
  begin(accountId: string, nowMs: number): number {
    if (this.#underWay.has(accountId)) return UNDER_WAY_RETRY_MS;
    const waitMs = (this.#penaltyUntilMs.get(accountId) ?? 0) - nowMs - PENALTY_MS_MAX;
    if (waitMs > 0) return waitMs;
    this.#underWay.add(accountId);
    return 0;
  }

  /**
   * @param tookMs how long the count took when it ended in a refusal; 0 when the request was
   *   admitted
   */
  end(accountId: string, nowMs: number, tookMs: number): void {
    this.#underWay.delete(accountId);
    if (tookMs === 0) return;
    const penalties = this.#penaltyUntilMs;
    const fromMs = Math.max(nowMs, penalties.get(accountId) ?? 0);
    penalties.delete(accountId);
    penalties.set(accountId, fromMs + tookMs * PENALTY_FACTOR);
    if (penalties.size <= ACCOUNTS_MAX) return;
    const [longestAgo = ''] = penalties.keys();
    penalties.delete(longestAgo);
  }
}
