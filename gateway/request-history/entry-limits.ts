const SECOND_MS = 1_000;
/**
 * A burst may take as much as comes in ten minutes: a minute of ten times the rate. What is billed
 * has a record alongside its entry, so that a longer rush of it need not be written twice.
 */
const BURST_SECONDS = 600;
/** Requests that earn nothing have no other trace: their bursts may be longer. */
const UNBILLED_BURST_SECONDS = 900;
/**
 * In addition to the rate of billed requests, requests that earn nothing have a tenth of it, those
 * of one sender a hundredth.
 */
const UNBILLED_PART = 10;
const SENDER_PART = 100;
/** The smallest burst of one sender: enough to see what fails. */
const SENDER_BURST_MIN = 300;
/** Senders that are counted separately; an older one begins again with a full burst. */
const SENDERS_MAX = 1_000;
/** Requests without a known key share one. */
const UNAUTHENTICATED = '';

/** Limits the entries of the request history that one HTTP thread may write. */
export class EntryLimits {
  readonly #perSecond: number;
  readonly #billed: Allowance;
  readonly #unbilled: Allowance;
  readonly #senders = new Map<string, Allowance>();

  /** @param perSecond of what is billed, in the long run; 0 writes none at all */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#billed = new Allowance(perSecond, perSecond * BURST_SECONDS);
    const unbilled = perSecond / UNBILLED_PART;
    this.#unbilled = new Allowance(unbilled, unbilled * UNBILLED_BURST_SECONDS);
  }

  /**
   * Takes an entry. Who sends what costs nothing, such as guessed keys or refused requests, could
   * fill the disk, and is allowed less than who pays.
   * @param accountId null for a request without a known key
   */
  take(isBilled: boolean, accountId: string | null, nowMs: number): boolean {
    if (isBilled) return this.#billed.take(nowMs);
    return (
      this.#sender(accountId ?? UNAUTHENTICATED, nowMs).take(nowMs) && this.#unbilled.take(nowMs)
    );
  }

  /** Reports whether a request without a known key would get an entry. */
  hasRoomForUnauthenticated(nowMs: number): boolean {
    return this.#sender(UNAUTHENTICATED, nowMs).has(nowMs) && this.#unbilled.has(nowMs);
  }

  #sender(id: string, nowMs: number): Allowance {
    const known = this.#senders.get(id);
    if (known !== undefined) return known;
    if (this.#senders.size >= SENDERS_MAX) {
      const oldest = this.#senders.keys().next();
      if (oldest.done !== true) this.#senders.delete(oldest.value);
    }
    const perSecond = this.#perSecond / SENDER_PART;
    const burst = Math.max(
      perSecond * UNBILLED_BURST_SECONDS,
      Math.min(SENDER_BURST_MIN, this.#perSecond),
    );
    const sender = new Allowance(perSecond, burst, nowMs);
    this.#senders.set(id, sender);
    return sender;
  }
}

/** So many at once, and so many a second afterwards. */
class Allowance {
  readonly #perMs: number;
  readonly #burst: number;
  #left: number;
  #atMs: number;

  constructor(perSecond: number, burst: number, nowMs = 0) {
    this.#perMs = perSecond / SECOND_MS;
    this.#burst = burst;
    this.#left = burst;
    this.#atMs = nowMs;
  }

  has(nowMs: number): boolean {
    // A clock that was set back gives nothing.
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#left = Math.min(this.#burst, this.#left + passedMs * this.#perMs);
    this.#atMs = nowMs;
    return this.#left >= 1;
  }

  take(nowMs: number): boolean {
    if (!this.has(nowMs)) return false;
    this.#left -= 1;
    return true;
  }
}
