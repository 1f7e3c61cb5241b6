/**
 * Longer than hashing a password and opening an account take; no one who waits for a mail notices
 * it.
 */
export const ANSWER_STEP_MS = 150;

/**
 * Does something whose duration would reveal a secret, such as whether an address is known: the
 * answer comes when a whole number of steps is over, whatever was done in them.
 */
export async function inConstantTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  try {
    return await work();
  } finally {
    const tookMs = performance.now() - startedMs;
    // Timers may fire a moment early, so the rest is rounded up.
    const restMs = Math.ceil(ANSWER_STEP_MS - (tookMs % ANSWER_STEP_MS));
    await new Promise((resolve) => setTimeout(resolve, restMs));
  }
}
