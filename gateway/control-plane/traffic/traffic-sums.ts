import {
  DURATION_BOUNDS_MS,
  FIRST_BYTE_BOUNDS_MS,
  type TrafficTotal,
} from '@weir/shared/watch/operations';
import { decimalFromSum } from '../api/amount.ts';
import { quantile } from './histogram.ts';

/** Sums as they are read: texts where they may be beyond 2^53. */
export interface SumsRow {
  readonly requests: number;
  readonly failed: number;
  readonly failedAttempts: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costNanoUsd: string;
  readonly streamedTokens: number;
  readonly streamedMs: number;
  readonly firstBytes: readonly number[];
  readonly durations: readonly number[];
}

const MS_PER_SECOND = 1_000;
const [MEDIAN, HIGH] = [0.5, 0.95];

export const NO_SUMS: SumsRow = {
  requests: 0,
  failed: 0,
  failedAttempts: 0,
  inputTokens: 0,
  outputTokens: 0,
  costNanoUsd: '0',
  streamedTokens: 0,
  streamedMs: 0,
  firstBytes: new Array<number>(FIRST_BYTE_BOUNDS_MS.length + 1).fill(0),
  durations: new Array<number>(DURATION_BOUNDS_MS.length + 1).fill(0),
};

export function addSums(a: SumsRow, b: SumsRow): SumsRow {
  return {
    requests: a.requests + b.requests,
    failed: a.failed + b.failed,
    failedAttempts: a.failedAttempts + b.failedAttempts,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costNanoUsd: String(BigInt(a.costNanoUsd) + BigInt(b.costNanoUsd)),
    streamedTokens: a.streamedTokens + b.streamedTokens,
    streamedMs: a.streamedMs + b.streamedMs,
    firstBytes: addCounts(a.firstBytes, b.firstBytes),
    durations: addCounts(a.durations, b.durations),
  };
}

function addCounts(a: readonly number[], b: readonly number[]): readonly number[] {
  return a.map((count, index) => count + (b[index] ?? 0));
}

export function sumsView(sums: SumsRow): Omit<TrafficTotal, 'of' | 'label'> {
  const { streamedMs, streamedTokens } = sums;
  return {
    requests: sums.requests,
    failed: sums.failed,
    failedAttempts: sums.failedAttempts,
    inputTokens: sums.inputTokens,
    outputTokens: sums.outputTokens,
    costUsd: decimalFromSum(sums.costNanoUsd),
    firstByteMsP50: quantile(sums.firstBytes, MEDIAN),
    firstByteMsP95: quantile(sums.firstBytes, HIGH),
    durationMsP95: quantile(sums.durations, HIGH, DURATION_BOUNDS_MS),
    streamTokensPerSecond:
      streamedMs <= 0 ? null : Math.round((streamedTokens * MS_PER_SECOND * 10) / streamedMs) / 10,
  };
}
