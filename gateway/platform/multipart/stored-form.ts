import type { StoredContent } from './form-file.ts';

/**
 * A form that is sent with contents from a file. It can be read again for another attempt, as long
 * as its file is open.
 */
export class StoredForm implements AsyncIterable<Buffer> {
  readonly #pieces: readonly (Buffer | StoredContent)[];
  /** Bytes of all. */
  readonly length: number;
  /** All bytes have been handed out. */
  wasRead = false;

  constructor(pieces: readonly (Buffer | StoredContent)[]) {
    this.#pieces = pieces;
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void> {
    this.wasRead = false;
    for (const piece of this.#pieces) {
      if (Buffer.isBuffer(piece)) yield piece;
      else yield* piece.file.read(piece.at, piece.length);
    }
    this.wasRead = true;
  }
}
