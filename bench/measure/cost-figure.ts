import type { TargetName } from '../targets/target.ts';
import { eitherCaveat, type Caveat } from './caveats.ts';
import type { Bar, Figure } from './figure.ts';

const REFERENCE = 'pass-through';

export interface CostFigure<Measured> {
  readonly scenario: string;
  readonly name: string;
  /** Judges Weir against the pass-through. */
  readonly bar: Bar;
  /** Returns microseconds of CPU time for one of what is counted. */
  readonly costUs: (measured: Measured) => number;
  readonly caveat: (measured: readonly Measured[]) => Caveat;
}

/** Returns the cost at one target; a ratio is as sound as both of its sides. */
export function costFigure<Measured>(
  target: TargetName,
  measured: ReadonlyMap<string, readonly Measured[]>,
  { scenario, name, bar, costUs, caveat }: CostFigure<Measured>,
): Figure {
  const own = measured.get(target) ?? [];
  const figure = { scenario, name, target, unit: 'us', rounds: own.map(costUs) };
  if (target === REFERENCE) return { ...figure, ...caveat(own) };
  const reference = measured.get(REFERENCE) ?? [];
  return {
    ...figure,
    against: { target: REFERENCE, rounds: reference.map(costUs) },
    ...(target === 'weir' ? { bar } : {}),
    ...eitherCaveat(caveat(own), caveat(reference)),
  };
}
