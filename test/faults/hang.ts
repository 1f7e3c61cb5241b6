import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../simulator/random.ts';

/**
 * A server most often hangs before somebody kills it; what was sent to it meanwhile has an unknown
 * fate.
 */
const HANGS_FIRST = 0.3;
const HANG_MS_MAX = 1_500;
/** Having gone on, it does what had gathered, and dies in the midst of that. */
const GOES_ON = 0.5;
const GOES_ON_MS_MAX = 20;

/** Pauses the server, or not; it may be left so. */
export async function hang(
  server: { readonly pause: () => void; readonly resume: () => void },
  random: Random,
): Promise<void> {
  if (!random.chance(HANGS_FIRST)) return;
  server.pause();
  await sleep(random.between(0, HANG_MS_MAX));
  if (!random.chance(GOES_ON)) return;
  server.resume();
  await sleep(random.between(0, GOES_ON_MS_MAX));
}
