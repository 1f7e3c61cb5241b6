/**
 * Pauses before each retry of a request that failed at the start. Afterwards the user has to retry.
 */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

export type Pause = (ms: number) => Promise<void>;

export const pauseFor: Pause = (ms) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Loads what no page can do without: tries until it is there or there is no more hope. */
export async function persist(
  load: () => Promise<void>,
  isThere: () => boolean,
  pause: Pause,
): Promise<void> {
  await load();
  for (const ms of PAUSES_MS) {
    if (isThere()) return;
    await pause(ms);
    if (!isThere()) await load();
  }
}
