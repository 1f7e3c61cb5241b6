import { randomFillSync } from 'node:crypto';

const ID_BYTES = 16;
/** Random bytes are drawn in bulk: one system call for many ids. */
const POOL_IDS = 256;
const pool = Buffer.alloc(POOL_IDS * ID_BYTES);
let used = POOL_IDS;

const HEX_DIGITS = Buffer.from('0123456789abcdef', 'latin1');
const DASH = 0x2d;
const TEXT_CHARACTERS = 36;
const text = Buffer.alloc(TEXT_CHARACTERS, DASH);

/**
 * A UUID version 7 (RFC 9562): its first 48 bits are the time, so that ids sort as requests came.
 *
 * It is written into bytes and made a string in one piece: put together from parts, each id would
 * drag a chain of its parts along for as long as its request is remembered.
 */
export function newRequestId(nowMs: number): string {
  if (used === POOL_IDS) {
    randomFillSync(pool);
    used = 0;
  }
  const from = used * ID_BYTES;
  used += 1;
  pool.writeUIntBE(nowMs, from, 6);
  pool[from + 6] = ((pool[from + 6] ?? 0) & 0x0f) | 0x70;
  pool[from + 8] = ((pool[from + 8] ?? 0) & 0x3f) | 0x80;
  let at = 0;
  for (let index = 0; index < ID_BYTES; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) at += 1;
    const byte = pool[from + index] ?? 0;
    text[at] = HEX_DIGITS[byte >> 4] ?? 0;
    text[at + 1] = HEX_DIGITS[byte & 0x0f] ?? 0;
    at += 2;
  }
  return text.toString('latin1');
}
