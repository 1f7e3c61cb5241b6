import { STRING_TYPE, type Frame } from './frame.ts';

export type FrameHeaders = Omit<Frame, 'payload'>;

/** Bytes of a value by its type; null: it has its length in front of it, in 2 bytes. */
const VALUE_BYTES: readonly (number | null)[] = [0, 0, 1, 2, 4, 8, null, null, 8, 16];
const LENGTH_BYTES = 2;

/** Reads the headers of a frame; undefined when they are none. */
export function readFrameHeaders(bytes: Buffer): FrameHeaders | undefined {
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
      if (start + LENGTH_BYTES > bytes.length) return undefined;
      length = bytes.readUInt16BE(start);
      start += LENGTH_BYTES;
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
