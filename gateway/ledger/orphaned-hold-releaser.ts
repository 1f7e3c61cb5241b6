import { setTimeout as sleep } from 'node:timers/promises';
import type { HoldRequest, ReleaseOutcome, ReleaseRequest } from './ledger.ts';

/**
 * About 200 bytes each. Further holds are left to expire. A broken connection leaves a few hundred.
 */
const HOLDS_WAITING_MAX = 10_000;
/** Pause after a failed release. */
const RELEASE_PAUSE_MS = 1_000;

interface OrphanedHold extends ReleaseRequest {
  /** The time at which the hold expires by itself. */
  readonly untilMs: number;
}

/**
 * Releases holds that timed out client-side but may have succeeded in the store. Such a hold would
 * keep its money until it expires; one that arrives after its release finds the request closed.
 * Only for calls that were sent: releasing those that an unreachable store never received would
 * flood it when it returns.
 */
export class OrphanedHoldReleaser {
  readonly #releaseOnce: (request: ReleaseRequest) => Promise<ReleaseOutcome>;
  readonly #atOnceMax: number;
  #waiting: OrphanedHold[] = [];
  #underWay = 0;
  #stopped = false;

  /**
   * @param release never rejects
   * @param atOnceMax concurrent releases, so that a store which has just returned can serve
   * requests
   */
  constructor(release: (request: ReleaseRequest) => Promise<ReleaseOutcome>, atOnceMax: number) {
    this.#releaseOnce = release;
    this.#atOnceMax = atOnceMax;
  }

  /**
   * Releases the hold in the background; retries until the store answers or the hold has expired.
   */
  release({ requestId, payer, ttlMs }: HoldRequest): void {
    if (this.#waiting.length >= HOLDS_WAITING_MAX) return;
    this.#wait({ requestId, accountId: payer.account.id, untilMs: performance.now() + ttlMs });
    if (this.#underWay < this.#atOnceMax) void this.#releaseWaiting();
  }

  /** The remaining holds expire by themselves. */
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
      // At the end of the queue, so that a release which always fails does not block the others.
      this.#wait(hold);
      await sleep(RELEASE_PAUSE_MS, undefined, { ref: false });
    }
    this.#underWay -= 1;
  }
}
