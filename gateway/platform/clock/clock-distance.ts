/** One reading takes less than a microsecond. */
const READINGS = 20;

/**
 * Returns how far `clock` is ahead of `other`, both in milliseconds. `clock` is read between two
 * readings of `other`, several times, and the closest pair counts. A thread that starts is often
 * interrupted: by a single reading its clock would be up to 170 ms slow for as long as it runs, and
 * it would date the requests and bills that it makes too early.
 */
export function clockDistance(clock: () => number, other: () => number): number {
  let closestMs = Infinity;
  let distanceMs = 0;
  for (let reading = 0; reading < READINGS; reading += 1) {
    const before = other();
    const at = clock();
    const after = other();
    if (after - before >= closestMs) continue;
    closestMs = after - before;
    distanceMs = at - (before + after) / 2;
  }
  return distanceMs;
}
