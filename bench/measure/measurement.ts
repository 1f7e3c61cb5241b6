import { availableParallelism } from 'node:os';
import type { Driver } from '../load/driver.ts';
import type { LoadOrder, LoadResults } from '../load/orders.ts';
import { cpuTimeUs, machineBusyUs, threadTimesUs } from '../processes/process-tree.ts';
import type { Target } from '../targets/target.ts';

/** One load on one target, and what it cost whom. CPU times are microseconds. */
export interface Measurement<Result> {
  readonly result: Result;
  /**
   * The target's whole process tree, until nothing of the load was left to do; without what it uses
   * idle.
   */
  readonly cpuUs: number;
  /** The part of it that was used while the load ran. */
  readonly cpuDuringUs: number;
  /** The same by the second: 1,000,000 is one core in full. */
  readonly busyUsPerSecond: number;
  /** By thread of the target's first process. */
  readonly threadsUs: Readonly<Record<string, number>>;
  /** The CPU time of the processes other than the target, its stores among them. */
  readonly aroundUs: Readonly<Record<string, number>>;
  /** The part of it that was used while the load ran. */
  readonly aroundDuringUs: Readonly<Record<string, number>>;
  /**
   * From the end of the load until the last of its records was seen to be in the book, in
   * milliseconds.
   */
  readonly bookedAfterMs: number;
  /** Scripts that Redis ran meanwhile: round trips of the ledger. */
  readonly redisScripts: number;
  /**
   * Served requests that did not reach the book: their cost is not all there. 0 for who keeps no
   * book.
   */
  readonly unrecorded: number;
  /** Share of the machine that programs outside of the bench used while the load ran, 0 to 1. */
  readonly othersShare: number;
}

/** A load that is over and whose last costs are still to come. */
export interface Pending<Result> {
  readonly result: Result;
  /** Waits until the target has nothing left to do, and accounts. */
  settleUp(): Promise<Measurement<Result>>;
}

export interface Around {
  readonly driver: Driver;
  /** Processes whose CPU time is written down alongside the target's. */
  readonly pids: Readonly<Record<string, number>>;
  readonly redisScripts: () => Promise<number>;
  /**
   * Waits until the target has nothing left to do of what it was sent; answers since when
   * (`performance.now`) all of it is in the book.
   */
  readonly untilDone: (target: Target) => Promise<number>;
  /**
   * Requests in the target's book that were admitted between two moments; absent when it keeps
   * none.
   */
  readonly recordsBetween?: (fromMs: number, toMs: number) => Promise<number>;
  /** CPU time of the idle target, in microseconds per second. */
  readonly idleUsPerSecond: number;
}

/** A thread that used less is not worth a line. */
const THREAD_US_MIN = 1_000;

function difference(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Record<string, number> {
  const used = [...after].map(([name, us]): [string, number] => [
    name,
    us - (before.get(name) ?? 0),
  ]);
  return Object.fromEntries(used.filter(([, us]) => us >= THREAD_US_MIN));
}

/** Returns the CPU time so far of programs other than the bench's own processes. */
function othersUs(): number {
  // Every process of the bench descends from this one, the target's and the stores' too.
  return machineBusyUs() - cpuTimeUs(process.pid);
}

/** Carries out one order against a target. */
export async function measure<Order extends LoadOrder>(
  target: Target,
  order: Order,
  { driver, pids, redisScripts, untilDone, recordsBetween, idleUsPerSecond }: Around,
): Promise<Pending<LoadResults[Order['kind']]>> {
  const around = new Map(Object.entries({ ...pids, driver: driver.pid }));
  const readAround = (): Map<string, number> =>
    new Map([...around].map(([name, pid]) => [name, cpuTimeUs(pid)]));
  const aroundBefore = readAround();
  const threadsBefore = threadTimesUs(target.pid);
  const scriptsBefore = await redisScripts();
  const othersBefore = othersUs();
  const startedAtMs = Date.now();
  const startedMs = performance.now();
  const cpuBefore = cpuTimeUs(target.pid);
  const result = await driver.drive(order);
  const cpuDuringUs = cpuTimeUs(target.pid) - cpuBefore;
  const aroundDuringUs = difference(aroundBefore, readAround());
  const endedMs = performance.now();
  const endedAtMs = Date.now();
  const elapsedUs = (endedMs - startedMs) * 1000;
  const othersShare = (othersUs() - othersBefore) / (elapsedUs * availableParallelism());
  return {
    result,
    settleUp: async () => {
      const bookedMs = await untilDone(target);
      const idleUs = (idleUsPerSecond * (performance.now() - endedMs)) / 1000;
      const measurement = {
        result,
        cpuUs: Math.max(cpuDuringUs, cpuTimeUs(target.pid) - cpuBefore - idleUs),
        cpuDuringUs,
        busyUsPerSecond: (cpuDuringUs / elapsedUs) * 1_000_000,
        threadsUs: difference(threadsBefore, threadTimesUs(target.pid)),
        aroundUs: difference(aroundBefore, readAround()),
        aroundDuringUs,
        bookedAfterMs: Math.max(0, bookedMs - endedMs),
        redisScripts: (await redisScripts()) - scriptsBefore,
        othersShare: Math.max(0, othersShare),
      };
      // Counted when everything else has been read: the count's own cost is nobody's.
      const recorded = await recordsBetween?.(startedAtMs, endedAtMs);
      const unrecorded = recorded === undefined ? 0 : Math.max(0, servedCount(result) - recorded);
      target.tidy();
      return { ...measurement, unrecorded };
    },
  };
}

/** Requests that were answered as asked for: each has a record. Replies of refusals have none. */
function servedCount(result: LoadResults[keyof LoadResults]): number {
  return result === null ? 0 : (result.statuses[200] ?? 0);
}

/**
 * Share of replies whose status is not one of those expected; broken connections count as not
 * expected.
 */
export function unexpectedShare(
  statuses: Readonly<Record<number, number>>,
  expected: readonly number[],
): number {
  const entries = Object.entries(statuses);
  const all = entries.reduce((sum, [, count]) => sum + count, 0);
  const good = entries
    .filter(([status]) => expected.includes(Number(status)))
    .reduce((sum, [, count]) => sum + count, 0);
  return all === 0 ? 1 : (all - good) / all;
}
