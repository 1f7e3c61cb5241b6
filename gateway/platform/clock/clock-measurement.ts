/**
 * A question to a remote clock: its answer, and when it was asked and heard,
 * `performance.now()`.
 */
export interface ClockSample {
  readonly remoteMs: number;
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
}

/** Remote clocks are read in whole milliseconds. */
const RESOLUTION_MS = 1;

/**
 * Measures the offset of a remote clock from `performance.now()`. The remote clock was read at some
 * moment between request and reply, so every sample gives bounds. The estimate is moved only as far
 * as the newest bounds prove: a slow network neither shakes the clock nor shifts it.
 */
export class ClockMeasurement {
  #offsetMs: number | undefined;

  /** Undefined before the first sample. */
  get offsetMs(): number | undefined {
    return this.#offsetMs;
  }

  /** Returns the offset that is known with this sample. */
  add({ remoteMs, sentAtMs, receivedAtMs }: ClockSample): number {
    const low = remoteMs - receivedAtMs;
    const high = remoteMs + RESOLUTION_MS - sentAtMs;
    const known = this.#offsetMs ?? (low + high) / 2;
    this.#offsetMs = Math.min(Math.max(known, low), high);
    return this.#offsetMs;
  }
}
