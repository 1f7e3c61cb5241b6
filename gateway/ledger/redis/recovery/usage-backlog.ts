/** Interval of the counts (store-watch.ts), so also how long a count is used. */
export const COUNTED_EVERY_MS = 1_000;

/**
 * Counts the usage records that wait in the store for PostgreSQL, and compares them with the limit.
 *
 * A count is used until the next one. What may be added meanwhile is counted already: as much as
 * the fastest growth since the backlog was small. Otherwise every gateway would exceed the limit
 * for a second at full speed.
 */
export class UsageBacklog {
  readonly #recordsMax: number;
  #records = 0;
  #countedAtMs: number | undefined;
  #growthPerMs = 0;

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax;
  }

  /** The last count. */
  get records(): number {
    return this.#records;
  }

  /** New requests must be refused, because their records might exceed the limit. */
  get exceeded(): boolean {
    return this.#records + this.#growthPerMs * COUNTED_EVERY_MS > this.#recordsMax;
  }

  /** @param nowMs from a monotonic clock */
  counted(records: number, nowMs: number): void {
    if (this.#countedAtMs !== undefined) {
      const growthPerMs = (records - this.#records) / Math.max(1, nowMs - this.#countedAtMs);
      // While requests are refused the backlog does not grow; that must not reset the fastest
      // growth.
      const calm = records < this.#recordsMax / 2;
      this.#growthPerMs = Math.max(0, growthPerMs, calm ? 0 : this.#growthPerMs);
    }
    this.#records = records;
    this.#countedAtMs = nowMs;
  }
}
