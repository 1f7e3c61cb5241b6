const EMPTY = Buffer.alloc(0);

/** Collects bytes in one buffer that doubles when it is full. */
export class ByteWriter {
  #bytes = EMPTY;
  #length = 0;

  /** Makes room for this much when nothing has been collected yet. */
  expect(bytes: number): void {
    if (this.#bytes.length === 0) this.#bytes = Buffer.allocUnsafe(bytes);
  }

  get length(): number {
    return this.#length;
  }

  append(source: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    this.#length += source.copy(this.#bytes, this.#length, start, end);
  }

  /** What was collected so far; valid until the next append. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** What was collected; the writer starts anew with fresh memory. */
  take(): Buffer {
    const taken = this.view();
    this.#bytes = EMPTY;
    this.#length = 0;
    return taken;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
