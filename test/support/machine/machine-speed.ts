/**
 * Multiplies the time after which a test counts as hanging by how slow this machine is, for this
 * process and those that it starts. Programs import it first: others read the time when they are
 * loaded.
 */
import { createHash } from 'node:crypto';

/** Duration of `work` on a quiet two-core virtual machine of 2026, ms. */
const NOMINAL_MS = 250;
const BLOCK = Buffer.alloc(1024 * 1024, 7);
const BLOCKS = 240;
const ROUNDS = 3;
/** The time on a quiet machine. */
const QUIET_HANG_MS = 60_000;
/** A machine that is slower than this has other troubles, and a hang must end some day. */
const SLOWNESS_MAX = 20;

function work(): number {
  const startedAtMs = performance.now();
  const hash = createHash('sha256');
  for (let left = BLOCKS; left > 0; left -= 1) hash.update(BLOCK);
  hash.digest();
  return performance.now() - startedAtMs;
}

const tookMs = Math.max(...Array.from({ length: ROUNDS }, work));

/** The factor by which this machine is slower than a quiet one; 1 at least. */
export const SLOWNESS = Math.min(SLOWNESS_MAX, Math.max(1, tookMs / NOMINAL_MS));

const quietMs = Number(process.env['TEST_HANG_MS'] ?? QUIET_HANG_MS);
process.env['TEST_HANG_MS'] = String(Math.round(quietMs * SLOWNESS));
