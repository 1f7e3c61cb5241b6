import type { OpenLoopResult } from '../../../bench/load/open-loop.ts';
import { NO_QUANTILES } from '../../../bench/load/quantiles.ts';
import type { ReadStreamsResult } from '../../../bench/load/read-streams.ts';
import type { SaturateResult } from '../../../bench/load/saturate.ts';
import type { Measurement } from '../../../bench/measure/measurement.ts';
import { LOCAL, type Target, type TargetName } from '../../../bench/targets/target.ts';

/** A measurement in which nothing went wrong. */
export function measured<Result>(result: Result): Measurement<Result> {
  return {
    result,
    cpuUs: 30_000,
    cpuDuringUs: 30_000,
    busyUsPerSecond: 30_000,
    threadsUs: {},
    aroundUs: {},
    aroundDuringUs: {},
    bookedAfterMs: 0,
    redisScripts: 0,
    unrecorded: 0,
    othersShare: 0,
  };
}

export type Statuses = Readonly<Record<number, number>>;

export function openLoopResult(statuses: Statuses = { 200: 1_000 }): OpenLoopResult {
  return {
    sent: 1_000,
    statuses,
    latencyMs: { ...NO_QUANTILES, count: 1_000, p50: 1, p99: 2 },
    firstByteMs: NO_QUANTILES,
    lateMs: NO_QUANTILES,
    queued: 0,
    connections: 64,
  };
}

export function saturateResult(statuses: Statuses = { 200: 1_000 }): SaturateResult {
  const { count, ...latencyMs } = NO_QUANTILES;
  return { requests: 1_000 + count, seconds: 1, requestsPerSecond: 1_000, statuses, latencyMs };
}

export function readStreamsResult(events: number, statuses: Statuses): ReadStreamsResult {
  return { streams: 1_000, events, statuses, firstByteMs: NO_QUANTILES, seconds: 1 };
}

/** A target that nobody asks anything. */
export function targetOf(name: TargetName): Target {
  return {
    name,
    destination: { host: LOCAL, port: 0 },
    pid: process.pid,
    headers: {},
    tidy: () => undefined,
    stop: () => Promise.resolve(),
    kill: () => Promise.resolve(),
  };
}
