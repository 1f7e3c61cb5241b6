import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed } from './wire-values.ts';

/** A fault that a process finds in its stores, clocks or credentials while it runs. */
export const Problem = closed({
  kind: choice(['clock', 'postgres', 'redis', 'credential']),
  /**
   * `error`: money can be lost or filed wrongly; `warning`: it costs something, or is not
   * known.
   */
  severity: choice(['error', 'warning']),
  /** The problem and its solution, for the operator. */
  message: Type.String(),
});
export type Problem = Static<typeof Problem>;
