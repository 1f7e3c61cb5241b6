import {
  END_OF_HEADERS,
  ENDLESS_HEADERS,
  HEADER_BYTES_MAX,
  tooManyParts,
  type MultipartFault,
  type MultipartLimits,
} from './read-multipart.ts';

const LINE_BREAK = '\r\n';
/** The text has this many bytes at most, apart from headers; contents beyond it are stored. */
const TEXT_BYTES_MAX = 2 * 1024 * 1024;

/** The place of a content that is stored. */
export interface StoredRange {
  /** In the text, where the content belongs. */
  readonly textAt: number;
  /** In the file. */
  readonly at: number;
  readonly length: number;
}

/**
 * Splits a form that arrives in pieces into a text, which is the form without its large contents,
 * and these contents, which go to a file. It looks for boundaries alone: `readMultipart` reads and
 * checks the text.
 *
 * States: content -> headers (of the next part) -> content, or over behind the closing boundary.
 * It begins as if a content of no bytes had just begun.
 */
export class FormSplitter {
  readonly #limits: MultipartLimits;
  readonly #delimiter: Buffer;
  readonly #ranges: StoredRange[] = [];
  readonly #text: Buffer[] = [];
  #textBytes = 0;
  #storedBytes = 0;
  #state: 'content' | 'headers' | 'over' = 'content';
  /** The line break in front of a content is not in the text yet: it may begin a boundary. */
  #isAtBreak = true;
  /** Bytes that have come and are not decided on. */
  #rest: Buffer = Buffer.from(LINE_BREAK);
  #parts = 0;
  /** The content under way as long as it is small. */
  #small: Buffer[] = [];
  #smallBytes = 0;
  /** The beginning of the content under way in the file; null: it is small. */
  #storedFrom: number | null = null;

  constructor(boundary: string, limits: MultipartLimits) {
    this.#limits = limits;
    this.#delimiter = Buffer.from(`${LINE_BREAK}--${boundary}`, 'latin1');
  }

  get ranges(): readonly StoredRange[] {
    return this.#ranges;
  }

  /** Bytes that are kept in memory. */
  get keptBytes(): number {
    return this.#textBytes + this.#smallBytes + this.#rest.length;
  }

  /** Bytes of memory that `push` needs for the next bytes. */
  windowBytes(bytes: number): number {
    return this.#rest.length + bytes;
  }

  /**
   * Takes the next bytes, which are copied.
   * @param memory of `windowBytes`
   * @returns the bytes that go to the file next, most of them parts of the memory
   */
  push(bytes: Uint8Array, memory: Buffer): readonly Buffer[] | MultipartFault {
    const stored: Buffer[] = [];
    let window = memory;
    window.set(this.#rest);
    window.set(bytes, this.#rest.length);
    for (;;) {
      const length: number | MultipartFault | undefined = this.#takeStep(window, stored);
      if (typeof length === 'object') return length;
      if (length === undefined) break;
      window = window.subarray(length);
    }
    // A copy: the rest of a large packet would keep all of it.
    this.#rest = Buffer.from(window);
    return stored;
  }

  /** Returns the text once all bytes have come. */
  end(): Buffer {
    // A form that broke off lacks its closing boundary, which its reader refuses.
    const text = Buffer.concat([...this.#text, ...this.#small, this.#rest]);
    return text.subarray(LINE_BREAK.length);
  }

  /** Returns the number of bytes that were decided on; undefined if more have to come first. */
  #takeStep(window: Buffer, stored: Buffer[]): number | MultipartFault | undefined {
    if (this.#state === 'headers') return this.#takeHeaders(window);
    // What is behind the closing boundary belongs to nothing.
    if (this.#state === 'over') return window.length === 0 ? undefined : window.length;
    const delimiterAt = window.indexOf(this.#delimiter);
    const isEnd = delimiterAt !== -1;
    const safe = isEnd ? delimiterAt : window.length - this.#delimiter.length + 1;
    const lineBreak = this.#isAtBreak ? LINE_BREAK.length : 0;
    if (safe >= lineBreak && safe > 0) {
      if (this.#isAtBreak) this.#addText(window.subarray(0, lineBreak));
      this.#isAtBreak = false;
      this.#addContent(window.subarray(lineBreak, safe), stored);
    }
    if (!isEnd) return safe >= lineBreak && safe > 0 ? safe : undefined;
    this.#endContent();
    return delimiterAt + this.#delimiter.length;
  }

  #takeHeaders(window: Buffer): number | MultipartFault | undefined {
    // Two bytes end the boundary's line, or the form.
    if (window.length < 2) return undefined;
    if (window.toString('latin1', 0, 2) === '--') {
      this.#addText(window.subarray(0, 2));
      this.#state = 'over';
      return 2;
    }
    const end = window.indexOf(END_OF_HEADERS, 2, 'latin1');
    if (end === -1 && window.length <= HEADER_BYTES_MAX) return undefined;
    if (end === -1 || end > HEADER_BYTES_MAX) {
      return ENDLESS_HEADERS;
    }
    if (this.#parts === this.#limits.partsMax) {
      return tooManyParts(this.#limits.partsMax);
    }
    this.#parts += 1;
    this.#state = 'content';
    this.#isAtBreak = true;
    const length = end + LINE_BREAK.length;
    this.#addText(window.subarray(0, length));
    return length;
  }

  #addContent(bytes: Buffer, stored: Buffer[]): void {
    if (this.#storedFrom === null) {
      this.#small.push(Buffer.from(bytes));
      this.#smallBytes += bytes.length;
      const textBytes = this.#textBytes + this.#smallBytes;
      if (this.#smallBytes <= this.#limits.fieldBytesMax && textBytes <= TEXT_BYTES_MAX) return;
      this.#storedFrom = this.#storedBytes;
      this.#storedBytes += this.#smallBytes;
      stored.push(...this.#small);
      this.#small = [];
      this.#smallBytes = 0;
    } else if (bytes.length > 0) {
      stored.push(bytes);
      this.#storedBytes += bytes.length;
    }
  }

  #endContent(): void {
    const at = this.#storedFrom;
    if (at === null) for (const piece of this.#small) this.#addText(piece);
    else {
      const textAt = this.#textBytes - LINE_BREAK.length;
      this.#ranges.push({ textAt, at, length: this.#storedBytes - at });
    }
    this.#small = [];
    this.#smallBytes = 0;
    this.#storedFrom = null;
    this.#state = 'headers';
    this.#addText(this.#delimiter);
  }

  #addText(bytes: Buffer): void {
    this.#text.push(Buffer.from(bytes));
    this.#textBytes += bytes.length;
  }
}
