import type { Logger } from 'pino';
import type { RequestTrace } from '../request-trace.ts';
import type { RequestLog } from '../rooms.ts';

/** Writes one line for each request: who, what, how it ended, what it cost, how long it took. */
export function requestLog(logger: Logger): RequestLog {
  return {
    request: (trace) => {
      if (!logger.isLevelEnabled('info')) return;
      logger.info(fields(trace), 'request');
    },
    broken: (trace, error) => {
      logger.error({ err: error, requestId: trace.requestId }, 'a request broke an invariant');
    },
  };
}

function fields(trace: RequestTrace): object {
  const { principal, tokens, startedAtMs, firstByteAtMs } = trace;
  return {
    requestId: trace.requestId,
    keyPrefix: principal?.keyPrefix,
    accountId: principal?.accountId,
    model: trace.model ?? undefined,
    stream: trace.stream,
    httpStatus: trace.httpStatus,
    status: trace.status,
    refused: trace.refused ?? undefined,
    channelId: trace.channelId ?? undefined,
    attempts: trace.attempts,
    upstreamFailure: trace.upstreamFailure ?? undefined,
    inputTokens: tokens?.input,
    outputTokens: tokens?.output,
    estimated: trace.estimated || undefined,
    capped: trace.capped || undefined,
    costNanoUsd: trace.costNanoUsd,
    firstByteMs: firstByteAtMs === null ? undefined : firstByteAtMs - startedAtMs,
    latencyMs: Date.now() - startedAtMs,
  };
}
