import type { Target, TargetName } from '../targets/target.ts';

/**
 * Measures targets in turn, A B B A A B …: what slows the machine down for a while, or warms it, falls
 * on all of them alike. Answers every target's measurements in the order of the rounds.
 */
export async function interleave<T>(
  targets: readonly Target[],
  rounds: number,
  measure: (target: Target, round: number) => Promise<T>,
): Promise<Map<TargetName, T[]>> {
  const measured = new Map<TargetName, T[]>(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? targets : targets.toReversed();
    for (const target of order) measured.get(target.name)?.push(await measure(target, round));
  }
  return measured;
}
