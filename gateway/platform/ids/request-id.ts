import { randomFillSync } from 'node:crypto';

const ID_BYTES = 16;
/** Random bytes are drawn in bulk: one system call for many ids. */
const POOL_IDS = 256;
const pool = Buffer.alloc(POOL_IDS * ID_BYTES);
let used = POOL_IDS;

const HEX_DIGITS = Buffer.from('0123456789abcdef', 'latin1');
/**
 * Numbers that an id must not contain. Agent tools look for these in the text of an error, which
 * may contain the request's id: pi repeated requests with a wrong key when it did.
 */
const STATUS_CODES: ReadonlySet<number> = new Set([0x429, 0x500, 0x502, 0x503, 0x504]);
/** None is written without 4 and 5: random digits are never these. 68 random bits are left. */
const RANDOM_DIGITS = Buffer.from('0123cd6789abcdef', 'latin1');
const TIME_BYTES = 6;
const DASH = 0x2d;
const TEXT_CHARACTERS = 36;
const text = Buffer.alloc(TEXT_CHARACTERS, DASH);

/**
 * A UUID version 7 (RFC 9562): its first 48 bits are the time, to 48 ms, so that ids sort as
 * requests came.
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
  pool.writeUIntBE(withoutStatusCode(nowMs), from, TIME_BYTES);
  pool[from + 6] = ((pool[from + 6] ?? 0) & 0x0f) | 0x70;
  pool[from + 8] = ((pool[from + 8] ?? 0) & 0x3f) | 0x80;
  let at = 0;
  for (let index = 0; index < ID_BYTES; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) at += 1;
    const byte = pool[from + index] ?? 0;
    const digits = index < TIME_BYTES ? HEX_DIGITS : RANDOM_DIGITS;
    text[at] = digits[byte >> 4] ?? 0;
    text[at + 1] = digits[byte & 0x0f] ?? 0;
    at += 2;
  }
  return text.toString('latin1');
}

/**
 * Returns a time at most 48 ms later (`ID_LATER_MS_MAX`) whose last four digits, a group of their
 * own in an id, spell no status code. What the group before them spells lasts for a minute or
 * longer.
 */
function withoutStatusCode(nowMs: number): number {
  let ms = nowMs;
  for (;;) {
    const group = ms % 0x1_0000;
    if (STATUS_CODES.has(group >> 4)) ms += 0x10 - (group & 0xf);
    else if (STATUS_CODES.has(group & 0xfff)) ms += 1;
    else return ms;
  }
}
