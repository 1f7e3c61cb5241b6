import { createHash } from 'node:crypto';

/** Duration of `work` on a quiet two-core virtual machine of 2026, ms. */
const NOMINAL_MS = 250;
const BLOCK = Buffer.alloc(1024 * 1024, 7);
const BLOCKS = 240;
const ROUNDS = 3;
/** A machine that is slower than this has other troubles, and a hang must end some day. */
const SLOWNESS_MAX = 20;

function work(): number {
  const startedAtMs = performance.now();
  const hash = createHash('sha256');
  for (let left = BLOCKS; left > 0; left -= 1) hash.update(BLOCK);
  hash.digest();
  return performance.now() - startedAtMs;
}

/**
 * Measures how many times longer this machine takes for a fixed piece of work than a quiet one; 1
 * at least.
 */
export function measureSlowness(): number {
  const tookMs = Math.max(...Array.from({ length: ROUNDS }, work));
  return Math.min(SLOWNESS_MAX, Math.max(1, tookMs / NOMINAL_MS));
}
