import { Worker } from 'node:worker_threads';

/** The spacing of arrivals: even, or random as that of many independent clients. */
export type Spacing = 'even' | 'poisson';

export interface ArrivalsOptions {
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly spacing: Spacing;
}

/** Slots of the memory shared with the clock thread. */
export const DUE_COUNT = 0;
export const NEVER = 1;
const SLOTS = 2;

export interface ClockOrder {
  readonly shared: SharedArrayBuffer;
  /** When each arrival is due, in milliseconds since the epoch with a fraction. */
  readonly dueMs: Float64Array;
}

/** Time for the clock thread to start before the first arrival. */
const LEAD_MS = 150;

/**
 * Due times in milliseconds from the start. The generator is seeded, so that every target gets the
 * same.
 */
export function dueTimes({ ratePerSecond, seconds, spacing }: ArrivalsOptions): Float64Array {
  const due = new Float64Array(Math.max(1, Math.round(ratePerSecond * seconds)));
  const gapMs = 1000 / ratePerSecond;
  let state = 0x2545f491;
  let at = 0;
  for (let index = 0; index < due.length; index += 1) {
    due[index] = at;
    // xorshift32 (Marsaglia 2003).
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const uniform = ((state >>> 0) + 1) / 4_294_967_297;
    at += spacing === 'even' ? gapMs : -Math.log(uniform) * gapMs;
  }
  return due;
}

/**
 * Runs a schedule of arrivals. Node's timers tick in whole milliseconds, so that at 5,000 requests
 * a second they would send bursts of five, and a loop that polls the clock would take a core away
 * from what is measured. A second thread sleeps until each arrival to about 0.06 ms instead and
 * wakes this one.
 */
export async function runArrivals(
  options: ArrivalsOptions,
  onArrival: (dueMs: number) => void,
): Promise<void> {
  const shared = new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT);
  const slots = new Int32Array(shared);
  const startMs = performance.now() + LEAD_MS;
  const dueMs = dueTimes(options).map((fromStart) => startMs + fromStart);
  const order: ClockOrder = { shared, dueMs: dueMs.map((at) => performance.timeOrigin + at) };
  const clock = new Worker(new URL('./arrivals-clock.ts', import.meta.url), { workerData: order });
  let done = 0;
  while (done < dueMs.length) {
    const wake = Atomics.waitAsync(slots, DUE_COUNT, done);
    if (wake.async) await wake.value;
    const due = Atomics.load(slots, DUE_COUNT);
    for (; done < due; done += 1) onArrival(dueMs[done] ?? 0);
  }
  await clock.terminate();
}
