import { randomFillSync } from 'node:crypto';

/** RFC 6455, 5.2: the only frame of a text; and the bit of one that is masked. */
export const WHOLE_TEXT = 0x81;
const MASKED = 0x80;
const MASK_BYTES = 4;
/** The lengths that the first byte says, and that two more can. */
const SHORT_MAX = 125;
const MIDDLE_MAX = 0xffff;
const [MIDDLE, LONG] = [126, 127];

/** Random bytes for masks. */
const masks = Buffer.alloc(1_024 * MASK_BYTES);
let maskAt = masks.length;

/**
 * Returns the frame in which a client sends a text. It is masked by words of four bytes: `ws` does
 * so byte by byte, which takes longer than everything else about a frame of sound.
 */
export function textFrame(payload: Buffer): Buffer {
  const { length } = payload;
  const lengthBytes = length <= SHORT_MAX ? 0 : length <= MIDDLE_MAX ? 2 : 8;
  const head = 2 + lengthBytes + MASK_BYTES;
  // The payload begins at a word.
  const pad = head % MASK_BYTES;
  const frame = Buffer.allocUnsafeSlow(pad + head + length).subarray(pad);
  frame[0] = WHOLE_TEXT;
  if (lengthBytes === 0) frame[1] = MASKED | length;
  else if (lengthBytes === 2) {
    frame[1] = MASKED | MIDDLE;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = MASKED | LONG;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  if (maskAt === masks.length) {
    randomFillSync(masks);
    maskAt = 0;
  }
  frame.set(masks.subarray(maskAt, maskAt + MASK_BYTES), head - MASK_BYTES);
  maskAt += MASK_BYTES;
  frame.set(payload, head);
  mask(frame, head);
  return frame;
}

/** Applies the key, which is the word before the payload. */
function mask(frame: Buffer, head: number): void {
  const keyAt = head - MASK_BYTES;
  const wholeWords = Math.floor((frame.length - keyAt) / MASK_BYTES);
  const words = new Int32Array(frame.buffer, frame.byteOffset + keyAt, wholeWords);
  const key = words[0] ?? 0;
  for (let word = 1; word < wholeWords; word += 1) words[word] = (words[word] ?? 0) ^ key;
  for (let at = keyAt + wholeWords * MASK_BYTES; at < frame.length; at += 1) {
    frame[at] = (frame[at] ?? 0) ^ (frame[keyAt + ((at - head) % MASK_BYTES)] ?? 0);
  }
}
