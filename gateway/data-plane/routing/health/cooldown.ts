import type { AttemptNumber } from './breaker.ts';

/** A refusal of one account, and the time until which the account is not served there. */
interface Witness {
  readonly attempt: AttemptNumber;
  readonly untilMs: number;
}

/** Accounts that one cooldown remembers; the oldest goes first. */
const WITNESSES_MAX = 512;

/**
 * A time in which something is not asked for: a model that an upstream limits or does not have, or
 * a credential that it refuses.
 *
 * It holds for the account whose request was refused, and for all accounts as soon as the requests
 * of two were refused without a success in between. An upstream may refuse what is particular to
 * one customer's requests (their size, their content), and that must not keep others away.
 */
export class Cooldown {
  readonly #witnesses = new Map<string, Witness>();
  #untilMsForAll = 0;
  #lastSuccess: AttemptNumber = 0;

  /** Keeps the account away until then; it makes no earlier cooldown shorter. */
  refused(accountId: string, { attempt, untilMs }: Witness, nowMs: number): void {
    const known = this.#witnesses.get(accountId);
    this.#witnesses.delete(accountId);
    const longest = Math.max(untilMs, known?.untilMs ?? 0);
    for (const [other, witness] of this.#witnesses) {
      if (witness.untilMs <= nowMs) this.#witnesses.delete(other);
      else if (witness.attempt > this.#lastSuccess) {
        this.#untilMsForAll = Math.max(this.#untilMsForAll, longest);
      }
    }
    this.#witnesses.set(accountId, { attempt, untilMs: longest });
    if (this.#witnesses.size <= WITNESSES_MAX) return;
    for (const [oldest] of this.#witnesses) {
      this.#witnesses.delete(oldest);
      return;
    }
  }

  succeeded(attempt: AttemptNumber): void {
    if (attempt > this.#lastSuccess) this.#lastSuccess = attempt;
  }

  /** Returns the time from which the account may ask, in epoch milliseconds; 0 or past: now. */
  untilMs(accountId: string): number {
    return Math.max(this.#untilMsForAll, this.#witnesses.get(accountId)?.untilMs ?? 0);
  }

  /** Returns the time until which it keeps any account away, in epoch milliseconds. */
  latestMs(): number {
    let latest = this.#untilMsForAll;
    for (const { untilMs } of this.#witnesses.values()) latest = Math.max(latest, untilMs);
    return latest;
  }
}
