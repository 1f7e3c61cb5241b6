import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed } from './wire-values.ts';

/** A problem that a running process finds with its stores or clocks. */
export const Problem = closed({
  kind: choice(['clock', 'postgres', 'redis']),
  /**
   * `error`: money can be lost or filed wrongly; `warning`: it costs something, or is not
   * known.
   */
  severity: choice(['error', 'warning']),
  /** The problem and its solution, for the operator. */
  message: Type.String(),
});
export type Problem = Static<typeof Problem>;
