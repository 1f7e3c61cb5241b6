import { setTimeout as sleep } from 'node:timers/promises';

/**
 * SQLSTATE deadlock_detected and serialization_failure: PostgreSQL has rolled the transaction back
 * because it collided with another one. Nothing of it was done.
 */
const COLLIDED: ReadonlySet<unknown> = new Set(['40P01', '40001']);

const ATTEMPTS_MAX = 4;
/** Doubles with each attempt. The wait is a random part of it, so that both sides come apart. */
const DELAY_MS = 10;

function isCollision(error: unknown): boolean {
  return error instanceof Error && 'code' in error && COLLIDED.has(error.code);
}

/**
 * Runs a whole transaction, or a statement that is one, and repeats it when it collided. One
 * statement of a longer transaction must not be passed: the others were rolled back with it. The
 * lock order (docs/decisions/0028-lock-order.md) prevents collisions; this covers transactions of
 * other programs and an order that was missed.
 */
export async function repeatCollided<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isCollision(error)) throw error;
    }
    await sleep(Math.random() * DELAY_MS * 2 ** attempt);
  }
}
