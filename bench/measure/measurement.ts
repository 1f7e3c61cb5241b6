import { availableParallelism } from 'node:os';
import type { Driver } from '../load/driver.ts';
import type { LoadOrder, LoadResults } from '../load/orders.ts';
import { cpuTimeUs, machineBusyUs, threadTimesUs } from '../processes/process-tree.ts';
import { untilQuiet, type Target } from '../targets/target.ts';

/** One load on one target, and what it cost whom. CPU times are microseconds. */
export interface Measurement<Result> {
  readonly result: Result;
  /** The target's whole process tree, until it had nothing left to do. */
  readonly cpuUs: number;
  /** The same while the load ran, per second: 1,000,000 is one core in full. */
  readonly busyUsPerSecond: number;
  /** By thread of the target's first process. */
  readonly threadsUs: Readonly<Record<string, number>>;
  readonly aroundUs: Readonly<Record<string, number>>;
  /** Share of the machine that programs outside of the bench used meanwhile, 0 to 1. */
  readonly othersShare: number;
}

export interface Around {
  readonly driver: Driver;
  /** Processes whose CPU time is written down beside the target's. */
  readonly pids: Readonly<Record<string, number>>;
  readonly quietSliceMs: number;
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

/** Carries out one order against a target and accounts for it. */
export async function measure<Order extends LoadOrder>(
  target: Target,
  order: Order,
  { driver, pids, quietSliceMs }: Around,
): Promise<Measurement<LoadResults[Order['kind']]>> {
  const around = { ...pids, driver: driver.pid };
  const aroundBefore = Object.entries(around).map(([, pid]) => cpuTimeUs(pid));
  const threadsBefore = threadTimesUs(target.pid);
  const startedMs = performance.now();
  const cpuBefore = cpuTimeUs(target.pid);
  const ownBefore = cpuTimeUs(process.pid);
  const machineBefore = machineBusyUs();
  const result = await driver.drive(order);
  const busyUs = cpuTimeUs(target.pid) - cpuBefore;
  const busyUsPerSecond = (busyUs / (performance.now() - startedMs)) * 1000;
  await untilQuiet(target, quietSliceMs);
  const cpuUs = cpuTimeUs(target.pid) - cpuBefore;
  const aroundUs = Object.entries(around).map(([name, pid], index): [string, number] => [
    name,
    cpuTimeUs(pid) - (aroundBefore[index] ?? 0),
  ]);
  // Every process of the bench descends from this one, the target's and the stores' too.
  const ownUs = cpuTimeUs(process.pid) - ownBefore;
  const machineUs = (performance.now() - startedMs) * 1000 * availableParallelism();
  const measurement = {
    result,
    cpuUs,
    busyUsPerSecond,
    threadsUs: difference(threadsBefore, threadTimesUs(target.pid)),
    aroundUs: Object.fromEntries(aroundUs),
    othersShare: Math.max(0, (machineBusyUs() - machineBefore - ownUs) / machineUs),
  };
  target.tidy();
  return measurement;
}

/** Share of replies whose status is not one of those expected; broken connections count as not expected. */
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
