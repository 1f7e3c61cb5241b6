const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Longer strings are images. */
const STRING_BYTES_MAX = 4_096;
/** JSON is kept this far; what has more besides its images is not read. */
const SKETCH_BYTES_MAX = 1_048_576;
/** The longest escape: a string is cut behind so many bytes without a backslash. */
const ESCAPE_BYTES_MAX = 6;

/**
 * Collects JSON without most of its long strings, which have passed by then: ten megabytes with an
 * image take as much memory as a text.
 */
export class Sketch {
  /** Bytes of the JSON so far. */
  bytesTotal = 0;
  /** The place in the sketch of the last bytes that were left out. */
  cutAt = 0;
  readonly #mayCut: (sketch: Buffer) => boolean;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  /** Bytes since the last quote, and since the last backslash behind it. */
  #run = 0;
  #plainRun = 0;
  #isCut = false;
  /** The run since the last quote is long, and kept. */
  #isKept = false;

  /** @param mayCut is asked at each long string, with the JSON before the part to leave out */
  constructor(mayCut: (sketch: Buffer) => boolean = () => true) {
    this.#mayCut = mayCut;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#kept);
  }

  /** Returns the offset behind the last of these bytes that is left out; 0: all are kept. */
  add(bytes: Buffer): number {
    this.bytesTotal += bytes.length;
    let cut = 0;
    for (let at = 0; at < bytes.length;) {
      const quote = bytes.indexOf(QUOTE, at);
      const end = quote === -1 ? bytes.length : quote;
      if (at < end && this.#addRun(bytes.subarray(at, end))) cut = end;
      if (quote === -1) break;
      this.#keep(bytes.subarray(quote, quote + 1));
      this.#run = 0;
      this.#plainRun = 0;
      this.#isCut = false;
      this.#isKept = false;
      at = quote + 1;
    }
    return cut;
  }

  /** Takes bytes without a quote. Returns whether some were left out. */
  #addRun(bytes: Buffer): boolean {
    if (this.#isCut) return true;
    let end = Math.min(bytes.length, Math.max(0, STRING_BYTES_MAX - this.#run));
    const backslash = bytes.lastIndexOf(BACKSLASH, end - 1);
    if (end > 0) this.#plainRun = backslash === -1 ? this.#plainRun + end : end - 1 - backslash;
    if (this.#isKept) end = bytes.length;
    for (; end < bytes.length && this.#plainRun < ESCAPE_BYTES_MAX; end += 1) {
      this.#plainRun = bytes[end] === BACKSLASH ? 0 : this.#plainRun + 1;
    }
    this.#run += end;
    this.#keep(bytes.subarray(0, end));
    if (end === bytes.length) return false;
    this.#isCut = this.#mayCut(this.bytes);
    this.#isKept = !this.#isCut;
    if (this.#isCut) this.cutAt = this.#keptBytes;
    else this.#keep(bytes.subarray(end));
    return this.#isCut;
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0 || this.#keptBytes >= SKETCH_BYTES_MAX) return;
    // A copy: the memory of a packet is not kept for a few bytes of it.
    this.#kept.push(Buffer.from(bytes));
    this.#keptBytes += bytes.length;
  }
}
