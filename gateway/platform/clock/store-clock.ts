import { clockDistance } from './clock-distance.ts';

/**
 * The clocks of the stores, as this process knows them. They decide what money is filed under: a
 * gateway whose machine has another time would make request ids that the ledger takes for old ones,
 * and file bills in months that have not begun.
 *
 * The main thread measures them (clock-measurement.ts) and writes how far they are from the
 * monotonic clock, which all threads of a process share and which no one can set. Before the first
 * measurement, and in a process that measures nothing, the machine's clock is used.
 */
const CLOCKS = { ledger: 0, database: 1 } as const;
type StoreClockName = keyof typeof CLOCKS;

const NS_PER_MS = 1_000_000;
/** `process.hrtime` is the same in all threads; `performance.now` counts from a thread's start. */
const THREAD_START_MS = clockDistance(
  () => Number(process.hrtime.bigint()) / NS_PER_MS,
  () => performance.now(),
);

/** Milliseconds from the process's monotonic clock to each store's; NaN while unknown. */
let offsets = new Float64Array(
  new SharedArrayBuffer(Object.keys(CLOCKS).length * Float64Array.BYTES_PER_ELEMENT),
).fill(NaN);

/** The memory that a new thread is given, so that it knows what the main thread measures. */
export function sharedClocks(): SharedArrayBuffer {
  return offsets.buffer;
}

/** In a thread that does not measure: reads what the main thread has written. */
export function useClocks(memory: SharedArrayBuffer): void {
  offsets = new Float64Array(memory);
}

/** @param offsetMs from this thread's `performance.now()` to the store's clock */
export function setStoreClock(name: StoreClockName, offsetMs: number): void {
  offsets[CLOCKS[name]] = offsetMs - THREAD_START_MS;
}

function nowOf(name: StoreClockName): number {
  const nowMs = Math.floor(performance.now() + THREAD_START_MS + (offsets[CLOCKS[name]] ?? NaN));
  return Number.isNaN(nowMs) ? Date.now() : nowMs;
}

/**
 * The time of the ledger's store, whole milliseconds since 1970: for request ids, the dates of
 * records and whatever the ledger compares with its own clock.
 */
export function ledgerNowMs(): number {
  return nowOf('ledger');
}

/** The time of PostgreSQL: for what is compared with times in the database. */
export function databaseNowMs(): number {
  return nowOf('database');
}
