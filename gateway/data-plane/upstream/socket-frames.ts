/** RFC 6455, 5.2: the bits of a frame's first two bytes. */
const MASKED = 0x80;
const LENGTH_BITS = 0x7f;
/** Lengths that the second byte cannot say are in so many bytes behind it. */
const [MIDDLE, LONG] = [126, 127];
const [MIDDLE_BYTES, LONG_BYTES] = [2, 8];

const NOTHING = Buffer.alloc(0);

/** The length of a frame's head, and that of the whole frame. */
interface FrameLengths {
  readonly head: number;
  readonly whole: number;
}

/** A frame of a server, whole or as much as may be read of it. */
export interface SocketFrame {
  readonly bytes: Buffer;
  /** The content is behind it. */
  readonly head: number;
  /** Nothing can be read behind it: it is masked, or longer than allowed. */
  readonly isBad: boolean;
}

/**
 * Cuts the bytes of a server into frames. A frame that one read has brought whole is a part of that
 * read's memory, and one that comes in pieces is put together once.
 */
export class SocketFrames {
  readonly #contentBytesMax: number;
  #unread: Buffer = NOTHING;
  /** A long frame of which the beginning has come. */
  #part: { readonly bytes: Buffer; readonly head: number; filled: number } | undefined;

  constructor(contentBytesMax: number) {
    this.#contentBytesMax = contentBytesMax;
  }

  add(bytes: Buffer): void {
    const part = this.#part;
    if (part === undefined) {
      this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
      return;
    }
    const taken = bytes.copy(part.bytes, part.filled);
    part.filled += taken;
    this.#unread = bytes.subarray(taken);
  }

  /** Returns the next frame; undefined until all of it has come. */
  take(): SocketFrame | undefined {
    const part = this.#part;
    if (part !== undefined) {
      if (part.filled < part.bytes.length) return undefined;
      this.#part = undefined;
      return { bytes: part.bytes, head: part.head, isBad: false };
    }
    const unread = this.#unread;
    const lengths = frameLengths(unread);
    if (lengths === undefined) return undefined;
    const { head, whole } = lengths;
    const isBad = ((unread[1] ?? 0) & MASKED) !== 0 || whole - head > this.#contentBytesMax;
    if (isBad || unread.length >= whole) {
      this.#unread = isBad ? NOTHING : unread.subarray(whole);
      return { bytes: isBad ? unread : unread.subarray(0, whole), head, isBad };
    }
    const bytes = Buffer.allocUnsafe(whole);
    this.#part = { bytes, head, filled: unread.copy(bytes) };
    this.#unread = NOTHING;
    return undefined;
  }

  /** Forgets what is left. */
  drop(): void {
    this.#unread = NOTHING;
    this.#part = undefined;
  }

  /** Copies what is left, before the memory that it was read into is used again. */
  keep(): void {
    if (this.#unread.length > 0) this.#unread = Buffer.from(this.#unread);
  }
}

/** Returns undefined while the head has not come. */
function frameLengths(bytes: Buffer): FrameLengths | undefined {
  if (bytes.length < 2) return undefined;
  const length = (bytes[1] ?? 0) & LENGTH_BITS;
  const lengthBytes = length === MIDDLE ? MIDDLE_BYTES : length === LONG ? LONG_BYTES : 0;
  const head = 2 + lengthBytes;
  if (bytes.length < head) return undefined;
  if (length === MIDDLE) return { head, whole: head + bytes.readUInt16BE(2) };
  if (length === LONG) return { head, whole: head + Number(bytes.readBigUInt64BE(2)) };
  return { head, whole: head + length };
}
