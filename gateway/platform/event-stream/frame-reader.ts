import { crc32 } from 'node:zlib';
import {
  CRC_BYTES,
  FRAME_BYTES_MIN,
  LENGTH_BYTES,
  PRELUDE_BYTES,
  type Frame,
  STRING_TYPE,
} from './frame.ts';

type FrameHeaders = Omit<Frame, 'payload'>;

/** Bytes of a value by its type; null: its length is in front of it. */
const VALUE_BYTES: readonly (number | null)[] = [0, 0, 1, 2, 4, 8, null, null, 8, 16];
const VALUE_LENGTH_BYTES = 2;

/** Reads the headers of a frame; undefined when they are none. */
function readFrameHeaders(bytes: Buffer): FrameHeaders | undefined {
  const texts: Record<string, string> = {};
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + (bytes[at] ?? 0);
    const type = bytes[nameEnd];
    const fixed = type === undefined ? undefined : VALUE_BYTES[type];
    if (fixed === undefined) return undefined;
    let start = nameEnd + 1;
    let length = fixed;
    if (length === null) {
      if (start + VALUE_LENGTH_BYTES > bytes.length) return undefined;
      length = bytes.readUInt16BE(start);
      start += VALUE_LENGTH_BYTES;
    }
    const end = start + length;
    if (end > bytes.length) return undefined;
    if (type === STRING_TYPE) {
      texts[bytes.toString('latin1', at + 1, nameEnd)] = bytes.toString('utf8', start, end);
    }
    at = end;
  }
  return {
    messageType: texts[':message-type'] ?? '',
    name: texts[':event-type'] ?? texts[':exception-type'] ?? texts[':error-code'] ?? '',
    errorMessage: texts[':error-message'] ?? '',
  };
}

/** AWS sends no larger ones: a frame is at most 16 MB of payload and 128 kB of headers. */
const FRAME_BYTES_MAX = 24 * 1_048_576;
const NOTHING = Buffer.alloc(0);

/**
 * Reads frames from bytes that are cut anywhere. After a fault nothing more can be read: where the
 * next frame begins is not known any more.
 */
export class FrameReader {
  /** The fault of the bytes, for the log; null while there is none. */
  fault: string | null = null;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** Number of bytes needed to go on. */
  #needed = PRELUDE_BYTES;
  /** Headers repeat: those of the frame before are seldom read again. */
  #headerBytes = NOTHING;
  #headers: FrameHeaders | undefined;

  /** Reports whether bytes of an unfinished frame are buffered. */
  get hasRest(): boolean {
    return this.#waitingBytes > 0;
  }

  /** Returns the frames that end in these bytes, which may be used again after the next call. */
  push(chunk: Buffer): readonly Frame[] {
    if (this.fault !== null) return [];
    if (this.#waitingBytes + chunk.length < this.#needed) {
      this.#keep(chunk);
      return [];
    }
    const bytes = this.#waitingBytes === 0 ? chunk : Buffer.concat([...this.#waiting, chunk]);
    this.#waiting = [];
    this.#waitingBytes = 0;
    const frames: Frame[] = [];
    let at = 0;
    for (;;) {
      const frame = this.#frameAt(bytes, at);
      if (frame === undefined) break;
      frames.push(frame);
      at += bytes.readUInt32BE(at);
    }
    if (at < bytes.length) this.#keep(bytes.subarray(at));
    return frames;
  }

  #keep(bytes: Buffer): void {
    this.#waiting.push(Buffer.from(bytes));
    this.#waitingBytes += bytes.length;
  }

  /** Undefined where the frame has not ended, or is broken. */
  #frameAt(bytes: Buffer, at: number): Frame | undefined {
    const there = bytes.length - at;
    this.#needed = PRELUDE_BYTES;
    if (there < PRELUDE_BYTES) return undefined;
    this.fault = preludeFault(bytes, at);
    if (this.fault !== null) return undefined;
    const total = bytes.readUInt32BE(at);
    this.#needed = total;
    if (there < total) return undefined;
    const end = at + total - CRC_BYTES;
    if (crc32(bytes.subarray(at, end)) !== bytes.readUInt32BE(end)) {
      this.fault = 'the checksum of a frame is wrong';
      return undefined;
    }
    const headersStart = at + PRELUDE_BYTES;
    const headersEnd = headersStart + bytes.readUInt32BE(at + LENGTH_BYTES);
    const headers = this.#headersOf(bytes.subarray(headersStart, headersEnd));
    if (headers === undefined) {
      this.fault = 'the headers of a frame cannot be read';
      return undefined;
    }
    const { messageType, name, errorMessage } = headers;
    return { messageType, name, errorMessage, payload: bytes.subarray(headersEnd, end) };
  }

  #headersOf(bytes: Buffer): FrameHeaders | undefined {
    if (this.#headers === undefined || !bytes.equals(this.#headerBytes)) {
      this.#headerBytes = Buffer.from(bytes);
      this.#headers = readFrameHeaders(bytes);
    }
    return this.#headers;
  }
}

/**
 * Returns the fault of a frame's lengths; they are checked before anything waits for so many bytes.
 */
function preludeFault(bytes: Buffer, at: number): string | null {
  const total = bytes.readUInt32BE(at);
  const headersLength = bytes.readUInt32BE(at + LENGTH_BYTES);
  const crcAt = at + 2 * LENGTH_BYTES;
  if (crc32(bytes.subarray(at, crcAt)) !== bytes.readUInt32BE(crcAt)) {
    return 'the checksum of a frame’s lengths is wrong';
  }
  if (total > FRAME_BYTES_MAX) return `a frame of ${total} bytes`;
  const isTooShort = total < FRAME_BYTES_MIN || headersLength > total - FRAME_BYTES_MIN;
  return isTooShort ? 'the lengths of a frame do not fit' : null;
}
