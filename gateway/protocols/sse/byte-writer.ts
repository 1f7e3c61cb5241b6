const EMPTY = Buffer.alloc(0);

/** Collects bytes in one buffer that doubles when it is full. */
export class ByteWriter {
  readonly #pooled: boolean;
  #bytes: Buffer = EMPTY;
  #length = 0;

  /**
   * @param stays The bytes are kept for long: a slice of Node's pool would keep all of it alive.
   */
  constructor({ stays }: { readonly stays: boolean }) {
    this.#pooled = !stays;
  }

  /** Makes room for this much when nothing has been collected yet. */
  expect(bytes: number): void {
    if (this.#bytes.length === 0) this.#bytes = this.#allocate(bytes);
  }

  get length(): number {
    return this.#length;
  }

  append(source: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    this.#length += source.copy(this.#bytes, this.#length, start, end);
  }

  /** Returns the bytes collected so far; valid until the next append. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Returns the collected bytes; the writer starts over with fresh memory. */
  take(): Buffer {
    const taken = this.view();
    this.#bytes = EMPTY;
    this.#length = 0;
    return taken;
  }

  #allocate(bytes: number): Buffer {
    return this.#pooled ? Buffer.allocUnsafe(bytes) : Buffer.allocUnsafeSlow(bytes);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = this.#allocate(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
