/** Counted once in this time (store-watch.ts), so this is for how long a count must be acted on. */
export const COUNTED_EVERY_MS = 1_000;

/**
 * Usage records that wait in the store for Postgres, and whether that is as many as there may be.
 *
 * A count is acted on until the next one comes, so what may come meanwhile is taken as there already: as much as the fastest
 * growth seen since the backlog was small. Otherwise every gateway would go on for a second at full speed beyond the limit.
 */
export class UsageBacklog {
  readonly #recordsMax: number;
  #records = 0;
  #countedAtMs: number | undefined;
  #growthPerMs = 0;

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax;
  }

  /** As last counted. */
  get records(): number {
    return this.#records;
  }

  /** New requests must be refused: their records might be more than may wait. */
  get exceeded(): boolean {
    return this.#records + this.#growthPerMs * COUNTED_EVERY_MS > this.#recordsMax;
  }

  /** @param nowMs of any clock that does not go back. */
  counted(records: number, nowMs: number): void {
    if (this.#countedAtMs !== undefined) {
      const growthPerMs = (records - this.#records) / Math.max(1, nowMs - this.#countedAtMs);
      // While requests are refused the backlog does not grow: that must not pass for calm.
      const calm = records < this.#recordsMax / 2;
      this.#growthPerMs = Math.max(0, growthPerMs, calm ? 0 : this.#growthPerMs);
    }
    this.#records = records;
    this.#countedAtMs = nowMs;
  }
}
