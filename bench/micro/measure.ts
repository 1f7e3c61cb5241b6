/** Rounds of which the fastest counts: the rest measures what else the machine was doing. */
const ROUNDS = 7;
const WARM_UP_MS = 200;

/**
 * Time of one call in microseconds: the fastest of several rounds, after a warm-up. What the work
 * answers is kept, so that the compiler cannot leave it out.
 */
export function measure(name: string, calls: number, work: () => unknown): number {
  let kept: unknown;
  const warmUntil = performance.now() + WARM_UP_MS;
  while (performance.now() < warmUntil) kept = work();
  let bestUs = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    for (let call = 0; call < calls; call += 1) kept = work();
    bestUs = Math.min(bestUs, ((performance.now() - start) * 1000) / calls);
  }
  console.log(`${name.padEnd(56)} ${bestUs.toFixed(3).padStart(10)} us`);
  return kept === undefined ? Number.NaN : bestUs;
}
