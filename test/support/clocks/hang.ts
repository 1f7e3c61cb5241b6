import { setTimeout as sleep } from 'node:timers/promises';

/**
 * After this long a test counts as hanging. It is a last resort and proves nothing about speed:
 * `machine-speed.ts` multiplies it by how slow this machine is, for every process of a run.
 */
export const HANG_MS = Number(process.env['TEST_HANG_MS'] ?? 60_000);

const POLL_MS = 10;

/**
 * Resolves with the first value that is neither undefined nor false; rejects when `HANG_MS` have
 * passed without one.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<Exclude<T, undefined | false>> {
  const hangsAtMs = performance.now() + HANG_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>;
    if (performance.now() > hangsAtMs) throw new Error(`Never came: ${what}`);
    await sleep(POLL_MS);
  }
}
