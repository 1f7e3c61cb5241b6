import type { DestinationStream, Logger } from 'pino';
import type { TokenCounts, UsageStatus } from '@weir/shared/usage-record';
import { LOG_WRITE_BYTES_MAX, logStreamOf } from './logger.ts';
import { UnauthenticatedLogLimiter } from './unauthenticated-log-limiter.ts';

/** What a request leaves behind when it is over: its line in the log is made of it. */
export interface RequestSummary {
  readonly startedAtMs: number;
  readonly requestId: string;
  /** Null while it is not known whose request it is. */
  readonly principal: { readonly logged: string } | null;
  readonly model: string | null;
  readonly stream: boolean;
  /** Of the last attempt. */
  readonly channelId: string | null;
  readonly attempts: number;
  readonly status: UsageStatus;
  /** What the client saw; 0 when it left before a status was sent. */
  readonly httpStatus: number;
  readonly firstByteAtMs: number | null;
  readonly tokens: TokenCounts | null;
  readonly estimated: boolean;
  readonly capped: boolean;
  readonly costNanoUsd: number;
  /** The catalogue's code of a refusal. */
  readonly refused: string | null;
  /** Why the last upstream attempt failed, in words for the operator. */
  readonly upstreamFailure: string | null;
}

/** The log of one HTTP thread. */
export interface RequestLog {
  /** One line for each request. Never a secret, never a prompt. */
  request(summary: RequestSummary): void;
  /** A broken invariant, with its stack. */
  broken(requestId: string, error: unknown): void;
}

/** pino's number for "info". */
const INFO = 30;

/** A line reaches stdout this much later at most; lines of busy moments travel together. */
const LINGER_MS = 50;

/** How nearly every request goes. */
const COMMON_OUTCOME = ',"stream":false,"httpStatus":200,"status":"completed","attempts":1';
const COMMON_STREAM_OUTCOME = ',"stream":true,"httpStatus":200,"status":"completed","attempts":1';

const NEEDS_ESCAPING = /[^\x20-\x7e]|["\\]/;

/**
 * Writes one line for each request: who, what, how it ended, what it cost, how long it took. Of requests that no known key
 * sent, at most so many a second.
 *
 * The line is put together by hand, in pino's format: pino takes about 20 microseconds of CPU for it, which is
 * half of what the whole request path costs; this takes three, the writing included.
 */
export function requestLog(logger: Logger, unauthenticatedLinesPerSecond: number): RequestLog {
  const strangers = new UnauthenticatedLogLimiter(logger, unauthenticatedLinesPerSecond);
  const lines = new LineBuffer(logStreamOf(logger));
  const bindings = logger.bindings();
  const beginning = rememberLatest((nowMs: number) => {
    const time = new Date(nowMs).toISOString();
    const text = JSON.stringify({ level: INFO, time, ...bindings, requestId: '' });
    return text.slice(0, -'"}'.length);
  });
  return {
    request: (trace) => {
      if (!logger.isLevelEnabled('info')) return;
      const nowMs = Date.now();
      if (trace.principal === null && !strangers.take(nowMs)) return;
      lines.add(beginning(nowMs) + trace.requestId + endingOf(trace, nowMs - trace.startedAtMs));
    },
    broken: (requestId, error) => {
      logger.error({ err: error, requestId }, 'a request broke an invariant');
    },
  };
}

/** Collects lines for one write, no longer than what stdout takes in one piece. */
class LineBuffer {
  readonly #stream: DestinationStream | undefined;
  #pending = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: DestinationStream | undefined) {
    this.#stream = stream;
  }

  add(line: string): void {
    if (this.#pending.length + line.length > LOG_WRITE_BYTES_MAX) this.#flush();
    this.#pending += line;
    // Not unreferenced: a thread that ends waits for its last lines.
    this.#timer ??= setTimeout(() => this.#flush(), LINGER_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending === '') return;
    this.#stream?.write(this.#pending);
    this.#pending = '';
  }
}

/** What `make` answers, made once for one argument after the other that is the same. */
function rememberLatest(make: (argument: number) => string): (argument: number) => string {
  let latest: number | undefined;
  let text = '';
  return (argument) => {
    if (argument !== latest) {
      text = make(argument);
      latest = argument;
    }
    return text;
  };
}

/** Of few pieces, because each costs as much as fifty letters when they become one text. */
function endingOf(trace: RequestSummary, latencyMs: number): string {
  const { principal, model, channelId, tokens, startedAtMs, firstByteAtMs } = trace;
  let line = principal === null ? '"' : `",${principal.logged}`;
  if (model !== null) line += `,"model":${quoted(model)}`;
  line += outcomeJson(trace);
  if (channelId !== null) line += `,"channelId":"${channelId}"`;
  if (tokens !== null) line += `,"inputTokens":${tokens.input},"outputTokens":${tokens.output}`;
  line += `,"costNanoUsd":${trace.costNanoUsd}`;
  if (firstByteAtMs !== null) line += `,"firstByteMs":${firstByteAtMs - startedAtMs}`;
  return `${line},"latencyMs":${latencyMs},"msg":"request"}\n`;
}

function outcomeJson(trace: RequestSummary): string {
  const { stream, httpStatus, status, attempts, refused, upstreamFailure } = trace;
  const noted = refused !== null || upstreamFailure !== null || trace.estimated || trace.capped;
  if (httpStatus === 200 && status === 'completed' && attempts === 1 && !noted) {
    return stream ? COMMON_STREAM_OUTCOME : COMMON_OUTCOME;
  }
  let text = `,"stream":${String(stream)},"httpStatus":${httpStatus},"status":"${status}","attempts":${attempts}`;
  if (refused !== null) text += `,"refused":"${refused}"`;
  if (upstreamFailure !== null) text += `,"upstreamFailure":${quoted(upstreamFailure)}`;
  if (trace.estimated) text += ',"estimated":true';
  if (trace.capped) text += ',"capped":true';
  return text;
}

function quoted(text: string): string {
  return NEEDS_ESCAPING.test(text) ? JSON.stringify(text) : `"${text}"`;
}
