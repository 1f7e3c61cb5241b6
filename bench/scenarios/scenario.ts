import type { Bench } from '../bench.ts';
import type { Figure } from '../measure/figure.ts';

export interface Scenario {
  readonly name: string;
  /** Its description, for the list of scenarios. */
  readonly about: string;
  readonly run: (bench: Bench) => Promise<Figure[]>;
}
