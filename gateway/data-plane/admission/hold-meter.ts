import type { StopReason } from '../../platform/errors/stop-code.ts';
import type { ExtendOutcome, Ledger, Payer } from '../../ledger/ledger.ts';
import type { CompiledPrices } from '../../pricing/compile-prices.ts';
import { costUpperBound, outputTokensAffordable, pricesFor } from '../../pricing/cost.ts';
import type { Admitted } from './admit.ts';

export interface MeterOptions {
  readonly ledger: Pick<Ledger, 'extend'>;
  readonly requestId: string;
  readonly payer: Payer;
  readonly prices: CompiledPrices;
  readonly admitted: Admitted;
  readonly holdTtlMs: number;
  /** Output tokens asked for at a time, over all choices. */
  readonly sliceTokensTotal: number;
  /** Output tokens over all choices that the model can produce at most. */
  readonly outputTokensMaxTotal: number;
  readonly nowMs: number;
}

/**
 * A ledger that is away is asked again after this time, then after twice as long, and so on;
 * counted from the next tick.
 */
const ASK_AGAIN_MS_MIN = 1_000;
export const ASK_AGAIN_MS_MAX = 8_000;
/**
 * The time that a reply waits at its hold's end for an unreachable ledger. A store that restarts or
 * fails over is back by then, and neither upstreams nor clients wait longer.
 */
export const STANDSTILL_MS_MAX = 30_000;

/**
 * A reply whose hold covers its maximum is ended at this multiple of it, plus a margin: its
 * upstream ignores the limit. Delivered tokens are estimated without a tokenizer; for Hindi, Tamil,
 * rules and tables the estimate is up to four times too high, and a short reply may be a single row
 * of dashes.
 */
const OVERRUN_FACTOR = 5;
const OVERRUN_TOKENS = 512;

/**
 * Keeps a hold alive and large enough while its reply is under way.
 *
 * States: covered -> asking (an extend is on its way; the reply goes on) -> covered, away or over.
 *   away   the ledger could not be reached, which says nothing about money: it is asked again, and the reply goes on
 *          meanwhile as far as the hold covers it
 *   over   nothing is left, and `#stopCode` says why
 *   fixed  the hold covers all that the client asked for; what goes far beyond it ends like a reply at its limit
 * `mustWait` is true while the reply has used up what is held and an answer is awaited; `stopCode`
 * says that it has used it up and there is no more.
 */
export class HoldMeter {
  readonly #options: MeterOptions;
  #outputTokensHeld: number;
  #delivered = 0;
  #extension = 0;
  #state: 'fixed' | 'covered' | 'asking' | 'away' | 'over';
  #stopCode: StopReason | null = null;
  #renewedAtMs: number;
  #askAgainMs = 0;
  #askAgainAtMs = 0;
  /** The time since which the reply has waited for the ledger; 0 while it does not wait. */
  #standsSinceMs = 0;
  #onAnswer: (() => void) | undefined;

  constructor(options: MeterOptions) {
    this.#options = options;
    this.#outputTokensHeld = options.admitted.outputTokensHeldTotal;
    this.#state = options.admitted.openEnded ? 'covered' : 'fixed';
    this.#renewedAtMs = options.nowMs;
  }

  /**
   * Reports the output tokens delivered so far, over all choices; asks for more when half of a
   * slice is left.
   */
  delivered(outputTokens: number): void {
    this.#delivered = outputTokens;
    if (this.#state !== 'covered' && this.#state !== 'fixed') return;
    const { sliceTokensTotal, outputTokensMaxTotal } = this.#options;
    const held = this.#outputTokensHeld;
    if (this.#state === 'fixed' || held >= outputTokensMaxTotal) {
      if (outputTokens > held * OVERRUN_FACTOR + OVERRUN_TOKENS) this.#stop('output_limit');
      return;
    }
    if (held - outputTokens > sliceTokensTotal / 2) return;
    this.#extension += 1;
    this.#ask();
  }

  get mustWait(): boolean {
    const awaited = this.#state === 'asking' || this.#state === 'away';
    return awaited && this.#delivered >= this.#outputTokensHeld;
  }

  /** The reason why the reply must end here; null while it may go on. */
  get stopCode(): StopReason | null {
    if (this.#stopCode === null || this.#delivered < this.#outputTokensHeld) return null;
    return this.#stopCode;
  }

  /** Called when an awaited answer has come, or is awaited no longer. */
  onAnswer(listener: () => void): void {
    this.#onAnswer = listener;
  }

  /** Renews the hold's time at half of it, so that a long reply never outlives its hold. */
  tick(nowMs: number): void {
    const { ledger, requestId, payer, holdTtlMs } = this.#options;
    if (this.#state === 'asking' || this.#state === 'away') {
      this.#tickAwaiting(nowMs);
      return;
    }
    if (nowMs - this.#renewedAtMs < holdTtlMs / 2) return;
    this.#renewedAtMs = nowMs;
    this.#extension += 1;
    // A renewal that fails is tried again at the next half; if the hold still expires,
    // settle charges late.
    void ledger.extend({
      requestId,
      payer,
      extension: this.#extension,
      amountNanoUsd: 0,
      minimumNanoUsd: 0,
      ttlMs: holdTtlMs,
    });
  }

  #tickAwaiting(nowMs: number): void {
    if (!this.mustWait) this.#standsSinceMs = 0;
    else if (this.#standsSinceMs === 0) this.#standsSinceMs = nowMs;
    if (this.#state === 'asking') return;
    if (this.#standsSinceMs !== 0 && nowMs - this.#standsSinceMs >= STANDSTILL_MS_MAX) {
      this.#stop('ledger_unavailable');
      this.#onAnswer?.();
      return;
    }
    if (this.#askAgainAtMs === 0) this.#askAgainAtMs = nowMs + this.#askAgainMs;
    else if (nowMs >= this.#askAgainAtMs) this.#ask();
  }

  /**
   * Asks for one more slice. A repetition is the same extension: the ledger may have applied one
   * that it did not reply to, and then says so instead of holding twice.
   */
  #ask(): void {
    const { ledger, requestId, payer, holdTtlMs, sliceTokensTotal } = this.#options;
    // A long prompt also makes the output more expensive.
    const prices = pricesFor(this.#options.prices, this.#options.admitted.promptTokens);
    this.#state = 'asking';
    // Rounding may reduce a tiny price to 0; an amount of 0 would always be granted and cover
    // nothing.
    const minimumNanoUsd = Math.max(1, sliceCost(prices, 1));
    const request = {
      requestId,
      payer,
      extension: this.#extension,
      amountNanoUsd: Math.max(minimumNanoUsd, sliceCost(prices, sliceTokensTotal)),
      minimumNanoUsd,
      ttlMs: holdTtlMs,
    };
    void ledger.extend(request).then((outcome) => this.#answered(outcome));
  }

  #answered(outcome: ExtendOutcome): void {
    switch (outcome.code) {
      case 'extended':
      case 'exists':
        this.#covered(outcome.heldNanoUsd);
        break;
      case 'insufficient_balance':
      case 'account_budget_exceeded':
      case 'team_budget_exceeded':
      case 'member_budget_exceeded':
      case 'key_budget_exceeded':
        this.#stop(outcome.code);
        break;
      case 'ledger_unavailable':
        this.#state = 'away';
        this.#askAgainMs = Math.min(ASK_AGAIN_MS_MAX, this.#askAgainMs * 2 || ASK_AGAIN_MS_MIN);
        this.#askAgainAtMs = 0;
        break;
      case 'hold_not_found':
      case 'request_closed':
        // It expired or was lost: nothing covers the output from here on.
        this.#outputTokensHeld = Math.min(this.#outputTokensHeld, 1);
        this.#stop('ledger_unavailable');
        break;
    }
    this.#onAnswer?.();
  }

  #covered(heldNanoUsd: number): void {
    const { prices, admitted } = this.#options;
    const held = outputTokensAffordable(prices, admitted.promptTokens, heldNanoUsd);
    this.#outputTokensHeld = Math.max(this.#outputTokensHeld, held);
    this.#state = 'covered';
    this.#askAgainMs = 0;
    this.#standsSinceMs = 0;
    // A part of a slice may not even cover what has been delivered by now.
    this.delivered(this.#delivered);
  }

  #stop(code: StopReason): void {
    this.#state = 'over';
    this.#stopCode = code;
  }
}

/** Returns the cost of output tokens alone, at the prices that apply to their request. */
function sliceCost(prices: CompiledPrices, outputTokens: number): number {
  return costUpperBound(prices, 0, outputTokens) - costUpperBound(prices, 0, 0);
}
