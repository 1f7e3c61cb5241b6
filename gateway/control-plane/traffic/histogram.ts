import { FIRST_BYTE_BOUNDS_MS } from '@weir/shared/watch/operations';

/**
 * The value that a share of all is below, from how many there are between bounds; within two bounds
 * they are taken as evenly spread. Null when there are none.
 * @param counts one more than there are bounds: the last is of what is above all of them
 */
export function quantile(
  counts: readonly number[],
  share: number,
  bounds: readonly number[] = FIRST_BYTE_BOUNDS_MS,
): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = share * total;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && below + count >= wanted) {
      const from = bounds[index - 1] ?? 0;
      const to = bounds[index] ?? from;
      return Math.round(from + ((wanted - below) / count) * (to - from));
    }
    below += count;
  }
  return bounds.at(-1) ?? null;
}
