/** A distribution in milliseconds. Exact: computed from every sample, not from buckets. */
export interface Quantiles {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

export const NO_QUANTILES: Quantiles = { count: 0, p50: 0, p90: 0, p99: 0, p999: 0, max: 0 };

/** Samples kept in one growing array of doubles; a push allocates nothing most of the time. */
export class Samples {
  #values = new Float64Array(4096);
  #count = 0;

  push(value: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(2 * this.#count);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count] = value;
    this.#count += 1;
  }

  quantiles(): Quantiles {
    if (this.#count === 0) return NO_QUANTILES;
    const sorted = this.#values.slice(0, this.#count).sort();
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return {
      count: sorted.length,
      p50: at(0.5),
      p90: at(0.9),
      p99: at(0.99),
      p999: at(0.999),
      max: at(1),
    };
  }
}
