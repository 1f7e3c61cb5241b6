import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { newRequestId } from '../platform/ids/request-id.ts';
import type { RequestSummary } from '../platform/telemetry/request-log.ts';
import { requestMembers } from '../platform/telemetry/request-members.ts';
import { entryJson } from './entry-json.ts';

/** Kinds of requests that are counted separately; others are summed by their outcome alone. */
const SUMS_MAX = 2_000;

/** Requests that are alike, in one. */
interface Sum {
  /** The members that they have in common. */
  readonly common: RequestSummary;
  /** Those of the latest request that had any. */
  failedAttempts: RequestSummary['failedAttempts'];
  count: number;
  durationMs: number;
  firstBytes: number;
  firstByteMs: number;
  inputTokens: number;
  outputTokens: number;
  costNanoUsd: number;
}

/** Sums up the requests that have no entry of their own. */
export class FloodSums {
  #sums = new Map<string, Sum>();
  #requests = 0;

  get requests(): number {
    return this.#requests;
  }

  add(trace: RequestSummary, nowMs: number): void {
    this.#requests += 1;
    const sum = this.#sumOf(trace);
    if (trace.failedAttempts !== null) sum.failedAttempts = trace.failedAttempts;
    sum.count += 1;
    sum.durationMs += nowMs - trace.startedAtMs;
    sum.costNanoUsd += trace.costNanoUsd;
    if (trace.firstByteAtMs !== null) {
      sum.firstBytes += 1;
      sum.firstByteMs += trace.firstByteAtMs - trace.startedAtMs;
    }
    if (trace.tokens !== null) {
      sum.inputTokens += trace.tokens.input;
      sum.outputTokens += trace.tokens.output;
    }
  }

  /** Entries of what has been summed up so far, which is forgotten. */
  take(): string[] {
    const entries = [...this.#sums.values()].map(sumEntry);
    this.#sums = new Map();
    this.#requests = 0;
    return entries;
  }

  #sumOf(trace: RequestSummary): Sum {
    const { principal, channelId } = trace;
    const key =
      principal === null
        ? outcomeOf(trace)
        : `${principal.recorded} ${modelOf(trace)} ${channelId} ${outcomeOf(trace)}`;
    const known = this.#sums.get(key);
    if (known !== undefined) return known;
    // Beyond it requests are distinguished by their outcome alone.
    if (this.#sums.size >= SUMS_MAX && principal !== null) {
      return this.#sumOf({ ...common(trace), principal: null, channelId: null });
    }
    const sum = newSum(common(trace));
    this.#sums.set(key, sum);
    return sum;
  }
}

function outcomeOf({ status, httpStatus, refused, stream }: RequestSummary): string {
  return `${refused} ${httpStatus} ${status} ${stream}`;
}

/** Anybody can make up names of models, and would have as many sums. */
function modelOf({ principal, refused, model }: RequestSummary): string | null {
  return principal === null || refused === 'model_not_found' ? null : model;
}

/**
 * Returns the members that the requests of a sum have in common: a copy, so that no request is
 * retained.
 */
function common(trace: RequestSummary): RequestSummary {
  return {
    startedAtMs: trace.startedAtMs,
    createdAtMs: trace.createdAtMs,
    requestId: trace.requestId,
    principal: trace.principal,
    model: modelOf(trace),
    stream: trace.stream,
    channelId: trace.channelId,
    attempts: trace.attempts,
    status: trace.status,
    httpStatus: trace.httpStatus,
    firstByteAtMs: null,
    tokens: null,
    estimated: false,
    capped: false,
    costNanoUsd: 0,
    refused: trace.refused,
    upstreamFailure: null,
    protocol: trace.protocol,
    refusalMessage: null,
    failedAttempts: null,
    unauthenticated: null,
    holdFromMs: null,
    heldMs: null,
    attemptFromMs: null,
    settleFromMs: null,
  };
}

function newSum(shared: RequestSummary): Sum {
  return {
    common: shared,
    failedAttempts: null,
    count: 0,
    durationMs: 0,
    firstBytes: 0,
    firstByteMs: 0,
    inputTokens: 0,
    outputTokens: 0,
    costNanoUsd: 0,
  };
}

function tokensOf({ inputTokens: input, outputTokens: output }: Sum): TokenCounts | null {
  if (input === 0 && output === 0) return null;
  return { input, cachedInput: 0, cacheWrite: 0, output, reasoning: 0 };
}

function sumEntry(sum: Sum): string {
  const { count, firstBytes } = sum;
  const { startedAtMs, createdAtMs } = sum.common;
  const mean: RequestSummary = {
    ...sum.common,
    failedAttempts: sum.failedAttempts,
    requestId: newRequestId(createdAtMs),
    firstByteAtMs: firstBytes === 0 ? null : startedAtMs + Math.round(sum.firstByteMs / firstBytes),
    tokens: tokensOf(sum),
    costNanoUsd: sum.costNanoUsd,
  };
  return entryJson(mean, requestMembers(mean, Math.round(sum.durationMs / count)), count);
}
