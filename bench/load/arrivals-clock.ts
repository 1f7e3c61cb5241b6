/**
 * The clock thread of arrivals.ts: sleeps until each arrival is due and wakes the thread that
 * sends.
 */
import { workerData } from 'node:worker_threads';
import { DUE_COUNT, NEVER, type ClockOrder } from './arrivals.ts';

/** Due this soon counts as due: sleeping again would overshoot by more. */
const EARLY_MS = 0.02;

const { shared, dueMs } = workerData as ClockOrder;
const slots = new Int32Array(shared);
let due = 0;
while (due < dueMs.length) {
  const now = performance.timeOrigin + performance.now();
  const before = due;
  while (due < dueMs.length && (dueMs[due] ?? 0) <= now + EARLY_MS) due += 1;
  if (due > before) {
    Atomics.store(slots, DUE_COUNT, due);
    Atomics.notify(slots, DUE_COUNT);
  } else {
    Atomics.wait(slots, NEVER, 0, (dueMs[due] ?? 0) - now);
  }
}
