import type { StoredContent } from './form-file.ts';

/** A content from a file, as base64. */
export interface Base64Content {
  readonly base64: StoredContent;
}

type Piece = Buffer | StoredContent | Base64Content;

/**
 * A body with contents from a file. It can be read again for another attempt, as long as its file
 * is open.
 */
export class StoredBody implements AsyncIterable<Buffer> {
  readonly #pieces: readonly Piece[];
  /** Bytes of all. */
  readonly length: number;
  /** All bytes have been handed out. */
  wasRead = false;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
    this.length = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void> {
    this.wasRead = false;
    for (const piece of this.#pieces) {
      if (Buffer.isBuffer(piece)) yield piece;
      else if ('base64' in piece) yield* readBase64(piece.base64);
      else yield* piece.file.read(piece.at, piece.length);
    }
    this.wasRead = true;
  }
}

/** Three bytes are four characters, the last ones with padding. */
const GROUP_BYTES = 3;
const GROUP_CHARACTERS = 4;

function lengthOf(piece: Piece): number {
  if (!('base64' in piece)) return piece.length;
  return Math.ceil(piece.base64.length / GROUP_BYTES) * GROUP_CHARACTERS;
}

async function* readBase64({ file, at, length }: StoredContent): AsyncGenerator<Buffer, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of file.read(at, length)) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % GROUP_BYTES);
    yield Buffer.from(bytes.toString('base64', 0, whole));
    rest = Buffer.from(bytes.subarray(whole));
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'));
}
