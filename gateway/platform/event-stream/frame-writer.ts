import { crc32 } from 'node:zlib';
import { CRC_BYTES, LENGTH_BYTES, PRELUDE_BYTES, STRING_TYPE } from './frame.ts';

const UTF8_BYTES_PER_UNIT_MAX = 3;

/** Encodes headers, whose values are strings. */
export function encodeHeaders(headers: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => {
      const nameBytes = Buffer.from(name);
      const valueBytes = Buffer.from(value);
      const valueLength = Buffer.alloc(2);
      valueLength.writeUInt16BE(valueBytes.length);
      const nameLength = Buffer.of(nameBytes.length);
      return [nameLength, nameBytes, Buffer.of(STRING_TYPE), valueLength, valueBytes];
    }),
  );
}

/** The first 8 bytes of a frame: checking them here makes no view of its bytes. */
const prelude = Buffer.alloc(PRELUDE_BYTES - CRC_BYTES);

/** Writes frames into one buffer: `begin`, the parts of the payload, `end`, and so on. */
export class FrameWriter {
  #out: Buffer;
  #start = 0;
  #end = 0;
  #headersBytes = 0;

  /** @param bytes about as many as the frames take; the buffer grows where they are more */
  constructor(bytes: number) {
    this.#out = Buffer.allocUnsafe(bytes);
  }

  /** @param headers as `encodeHeaders` returns them */
  begin(headers: Buffer): void {
    this.#reserve(PRELUDE_BYTES + headers.length);
    this.#start = this.#end;
    this.#headersBytes = headers.length;
    this.#end += PRELUDE_BYTES;
    this.#end += headers.copy(this.#out, this.#end);
  }

  /** @param ascii characters of one byte each */
  ascii(ascii: string): void {
    this.#reserve(ascii.length);
    this.#end += this.#out.write(ascii, this.#end, 'latin1');
  }

  text(text: string): void {
    this.#reserve(text.length * UTF8_BYTES_PER_UNIT_MAX);
    this.#end += this.#out.write(text, this.#end, 'utf8');
  }

  end(): void {
    this.#reserve(CRC_BYTES);
    const out = this.#out;
    const start = this.#start;
    const crcStart = this.#end;
    prelude.writeUInt32BE(crcStart + CRC_BYTES - start, 0);
    prelude.writeUInt32BE(this.#headersBytes, LENGTH_BYTES);
    prelude.copy(out, start);
    out.writeUInt32BE(crc32(prelude), start + prelude.length);
    out.writeUInt32BE(crc32(out.subarray(start, crcStart)), crcStart);
    this.#end = crcStart + CRC_BYTES;
  }

  /** Returns the frames that have ended. */
  get bytes(): Buffer {
    return this.#out.subarray(0, this.#end);
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#out.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#end + bytes));
    this.#out.copy(larger, 0, 0, this.#end);
    this.#out = larger;
  }
}
