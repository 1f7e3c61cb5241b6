import { setTimeout as sleep } from 'node:timers/promises';
import { cpuTimeUs } from '../processes/process-tree.ts';
import type { Destination } from '../load/request-shape.ts';

export type TargetName = 'direct' | 'weir' | 'pass-through' | 'nginx' | 'portkey';

/** Something that takes chat completions: the gateway, a baseline, or the upstream itself. */
export interface Target {
  readonly name: TargetName;
  readonly destination: Destination;
  /** Root of the process tree whose CPU time and memory are measured. */
  readonly pid: number;
  /** Headers it needs besides the usual ones. */
  readonly headers: Readonly<Record<string, string>>;
  /** Called after each measurement, outside of it: keeps log files from filling the disk. */
  tidy(): void;
  stop(): Promise<void>;
}

export const LOCAL = '127.0.0.1';

/** A gateway that does nothing wakes up for its timers; this much of a core counts as nothing. */
const IDLE_SHARE = 0.06;
const QUIET_SLICES = 2;
const QUIET_WAIT_MS_MAX = 10_000;

/**
 * Waits until a target's processes have nothing left to do. Work that a request causes after its reply,
 * such as draining usage records to PostgreSQL, belongs to that request's cost. Quiet is two slices in a row
 * in which it used next to no CPU.
 */
export async function untilQuiet(target: Target, sliceMs: number): Promise<void> {
  const deadlineMs = performance.now() + QUIET_WAIT_MS_MAX;
  let before = cpuTimeUs(target.pid);
  let quiet = 0;
  while (quiet < QUIET_SLICES && performance.now() < deadlineMs) {
    await sleep(sliceMs);
    const now = cpuTimeUs(target.pid);
    quiet = now - before <= IDLE_SHARE * sliceMs * 1000 ? quiet + 1 : 0;
    before = now;
  }
}
