import { clockDistance } from './clock-distance.ts';

/** The time of day when this thread began, in terms of `performance.now()`. */
const START_MS = clockDistance(Date.now, () => performance.now());

/**
 * Whole milliseconds since 1970 on a clock that never jumps: the machine's clock as it was when
 * this thread began, and what has passed since. For durations, deadlines and time-outs: when
 * somebody sets the machine's clock, they would be weeks long or negative.
 */
export function steadyNowMs(): number {
  return Math.floor(START_MS + performance.now());
}
