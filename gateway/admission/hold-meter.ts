import type { ExtendOutcome, Ledger, Payer } from '../ledger/ledger.ts';
import type { CompiledPrices } from '../pricing/compile-prices.ts';
import { costUpperBound, outputTokensAffordable } from '../pricing/cost.ts';
import type { Admitted } from './admit.ts';

export interface MeterOptions {
  readonly ledger: Ledger;
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
 * Keeps a hold alive and large enough while its reply is under way.
 *
 * States: covered -> asking (an extend is on its way; the reply goes on) -> covered, or exhausted when the
 * ledger has no more. `mustWait` is true while the reply has used up what is held and an answer is awaited;
 * `mustStop` once it has used it up and there is no more.
 */
export class HoldMeter {
  readonly #options: MeterOptions;
  #outputTokensHeld: number;
  #delivered = 0;
  #extension = 0;
  #state: 'covered' | 'asking' | 'exhausted';
  #renewedAtMs: number;
  #onAnswer: (() => void) | undefined;

  constructor(options: MeterOptions) {
    this.#options = options;
    this.#outputTokensHeld = options.admitted.outputTokensHeldTotal;
    this.#state = options.admitted.openEnded ? 'covered' : 'exhausted';
    this.#renewedAtMs = options.nowMs;
  }

  /** Tells the output tokens delivered so far, over all choices; asks for more when half of a slice is left. */
  delivered(outputTokens: number): void {
    this.#delivered = outputTokens;
    if (this.#state !== 'covered') return;
    const left = this.#outputTokensHeld - outputTokens;
    if (left > this.#options.sliceTokensTotal / 2) return;
    if (this.#outputTokensHeld >= this.#options.outputTokensMaxTotal) return;
    this.#ask();
  }

  get mustWait(): boolean {
    return this.#state === 'asking' && this.#delivered >= this.#outputTokensHeld;
  }

  get mustStop(): boolean {
    const { admitted } = this.#options;
    return (
      admitted.openEnded && this.#state === 'exhausted' && this.#delivered >= this.#outputTokensHeld
    );
  }

  /** Called when an awaited answer has come. */
  onAnswer(listener: () => void): void {
    this.#onAnswer = listener;
  }

  /** Renews the hold's time at half of it, so that a long reply never outlives its hold. */
  tick(nowMs: number): void {
    const { ledger, requestId, payer, holdTtlMs } = this.#options;
    if (nowMs - this.#renewedAtMs < holdTtlMs / 2 || this.#state === 'asking') return;
    this.#renewedAtMs = nowMs;
    this.#extension += 1;
    // A renewal that fails is tried again at the next half; if the hold expires all the same, settle charges late.
    void ledger.extend({
      requestId,
      payer,
      extension: this.#extension,
      amountNanoUsd: 0,
      minimumNanoUsd: 0,
      ttlMs: holdTtlMs,
    });
  }

  #ask(): void {
    const { ledger, requestId, payer, prices, holdTtlMs, sliceTokensTotal } = this.#options;
    this.#state = 'asking';
    this.#extension += 1;
    const request = {
      requestId,
      payer,
      extension: this.#extension,
      amountNanoUsd: sliceCost(prices, sliceTokensTotal),
      minimumNanoUsd: Math.min(sliceCost(prices, 1), sliceCost(prices, sliceTokensTotal)),
      ttlMs: holdTtlMs,
    };
    void ledger.extend(request).then((outcome) => this.#answered(outcome));
  }

  #answered(outcome: ExtendOutcome): void {
    const extended = outcome.code === 'extended' || outcome.code === 'exists';
    if (extended) {
      const { prices, admitted } = this.#options;
      const held = outputTokensAffordable(prices, admitted.promptTokens, outcome.heldNanoUsd);
      this.#outputTokensHeld = Math.max(this.#outputTokensHeld, held);
    }
    this.#state = extended ? 'covered' : 'exhausted';
    this.#onAnswer?.();
  }
}

/** What a number of output tokens costs by themselves. */
function sliceCost(prices: CompiledPrices, outputTokens: number): number {
  return costUpperBound(prices, 0, outputTokens) - costUpperBound(prices, 0, 0);
}
