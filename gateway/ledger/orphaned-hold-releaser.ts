import { setTimeout as sleep } from 'node:timers/promises';
import type { HoldRequest, ReleaseOutcome, ReleaseRequest } from './ledger.ts';

/** Some 200 bytes each; further ones expire. A connection that breaks leaves a few hundred. */
const HOLDS_WAITING_MAX = 10_000;
/** After a release that failed. */
const RELEASE_PAUSE_MS = 1_000;

interface OrphanedHold extends ReleaseRequest {
  /** By then it has expired. */
  readonly untilMs: number;
}

/**
 * Holds of which only the answer was lost, perhaps: whoever asked was told that there is none. One that has been made, or is yet to
 * be, would keep its money until it expires; it is given back, or finds its request closed. Only for holds that were sent: those
 * that a store which is away never got would be a storm when it comes back.
 */
export class OrphanedHoldReleaser {
  readonly #releaseOnce: (request: ReleaseRequest) => Promise<ReleaseOutcome>;
  readonly #atOnceMax: number;
  #waiting: OrphanedHold[] = [];
  #underWay = 0;
  #stopped = false;

  /**
   * @param release never rejects
   * @param atOnceMax releases under way at once: a store that has just come back has requests to serve, and one that is away is not
   * stormed
   */
  constructor(release: (request: ReleaseRequest) => Promise<ReleaseOutcome>, atOnceMax: number) {
    this.#releaseOnce = release;
    this.#atOnceMax = atOnceMax;
  }

  /** Releases it in the background, again and again until the store has answered or the hold has expired. */
  release({ requestId, payer, ttlMs }: HoldRequest): void {
    if (this.#waiting.length >= HOLDS_WAITING_MAX) return;
    this.#wait({ requestId, accountId: payer.account.id, untilMs: performance.now() + ttlMs });
    if (this.#underWay < this.#atOnceMax) void this.#releaseWaiting();
  }

  /** What is left then expires. */
  stop(): void {
    this.#stopped = true;
    this.#waiting = [];
  }

  #wait(hold: OrphanedHold): void {
    if (!this.#stopped) this.#waiting.push(hold);
  }

  async #releaseWaiting(): Promise<void> {
    this.#underWay += 1;
    for (let hold = this.#waiting.shift(); hold !== undefined; hold = this.#waiting.shift()) {
      if (performance.now() >= hold.untilMs) continue;
      const { requestId, accountId } = hold;
      const { code } = await this.#releaseOnce({ requestId, accountId });
      if (code !== 'ledger_unavailable') continue;
      // Behind the others, so that one which always fails does not keep them waiting.
      this.#wait(hold);
      await sleep(RELEASE_PAUSE_MS, undefined, { ref: false });
    }
    this.#underWay -= 1;
  }
}
