import { randomFillSync } from 'node:crypto';

const ID_BYTES = 16;
/** Random bytes are drawn in bulk: one system call for many ids. */
const POOL_IDS = 256;
const pool = Buffer.alloc(POOL_IDS * ID_BYTES);
let used = POOL_IDS;

const HEX = Array.from({ length: 256 }, (_value, byte) => byte.toString(16).padStart(2, '0'));

/** A UUID version 7 (RFC 9562): its first 48 bits are the time, so that ids sort as requests came. */
export function newRequestId(nowMs: number): string {
  if (used === POOL_IDS) {
    randomFillSync(pool);
    used = 0;
  }
  const at = used * ID_BYTES;
  used += 1;
  pool.writeUIntBE(nowMs, at, 6);
  pool[at + 6] = ((pool[at + 6] ?? 0) & 0x0f) | 0x70;
  pool[at + 8] = ((pool[at + 8] ?? 0) & 0x3f) | 0x80;
  let id = '';
  for (let index = 0; index < ID_BYTES; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) id += '-';
    id += HEX[pool[at + index] ?? 0] ?? '';
  }
  return id;
}
