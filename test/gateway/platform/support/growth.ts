const ROUNDS = 5;

/**
 * Returns how many times as much CPU time `run` takes for the larger size. Both sizes are measured
 * in turns and the cheapest round of each counts, so that neither the speed of the machine nor its
 * other work matters.
 */
export function growth(run: (size: number) => void, small: number, large: number): number {
  const cheapest = new Map([small, large].map((size) => [size, Infinity]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [size, before] of cheapest) cheapest.set(size, Math.min(before, cpuOf(run, size)));
  }
  return (cheapest.get(large) ?? NaN) / (cheapest.get(small) ?? NaN);
}

/** Microseconds of CPU, at least one. */
function cpuOf(run: (size: number) => void, size: number): number {
  const before = process.cpuUsage();
  run(size);
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, user + system);
}
