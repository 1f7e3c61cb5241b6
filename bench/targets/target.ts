import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuTimeUs } from '../processes/process-tree.ts';
import type { Ground } from '../ground/ground.ts';
import type { Destination } from '../load/request-shape.ts';

export type TargetName =
  | 'direct'
  | 'weir'
  | 'base'
  | 'pass-through'
  | 'metered'
  | 'nginx'
  | 'portkey';

/** Something that takes chat completions: the gateway, a baseline, or the upstream itself. */
export interface Target {
  readonly name: TargetName;
  readonly destination: Destination;
  /** Root of the process tree whose CPU time and memory are measured. */
  readonly pid: number;
  /** Headers it needs besides the usual ones. */
  readonly headers: Readonly<Record<string, string>>;
  /** The stores of a gateway, with the book that its requests have to reach; a proxy has none. */
  readonly ground?: Ground;
  /** Called after each measurement, outside of it: keeps log files from filling the disk. */
  tidy(): void;
  /** Ends it in good order: what was asked of it is finished first. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export const LOCAL = '127.0.0.1';

/**
 * The allocator's setting of `npm start` and the image, also for the yardstick, since it changes
 * what memory and allocations cost.
 */
export const ALLOCATOR = { MALLOC_ARENA_MAX: String(availableParallelism()) };

/**
 * A process that does nothing wakes up for its timers; up to this share of a core counts as
 * nothing.
 */
const IDLE_SHARE = 0.08;
/**
 * A gateway that starts with ten thousand accounts which got money lately tells the ledger of each.
 */
const QUIET_WAIT_MS_MAX = 30_000;

/** Waits until a target's processes use next to no CPU for one slice of time. */
export async function untilQuiet(target: Target, sliceMs: number): Promise<void> {
  const deadlineMs = performance.now() + QUIET_WAIT_MS_MAX;
  let before = cpuTimeUs(target.pid);
  while (performance.now() < deadlineMs) {
    await sleep(sliceMs);
    const now = cpuTimeUs(target.pid);
    if (now - before <= IDLE_SHARE * sliceMs * 1000) return;
    before = now;
  }
}
