import type { DestinationStream, Logger } from 'pino';
import type { TokenCounts, UsageStatus } from '@weir/shared/watch/usage-record';
import { steadyNowMs } from '../clock/steady-clock.ts';
import { LOG_WRITE_BYTES_MAX, logStreamOf } from './logger.ts';
import { requestMembers } from './request-members.ts';
import { UnauthenticatedLogLimiter } from './unauthenticated-log-limiter.ts';

/** A known key, as members of JSON: made once, as each of its requests has them. */
export interface RequestSender {
  readonly accountId: string;
  /** For the line in the log. */
  readonly logged: string;
  /** For the request history: what the line has not. */
  readonly recorded: string;
}

/** An attempt that failed, in words for the operator. */
export interface FailedAttempt {
  /** 1 is the first attempt of its request. */
  readonly number: number;
  readonly channelId: string;
  /** The operator's project and location at a cloud; absent: none. */
  readonly place?: string | undefined;
  /** Null when no status came. */
  readonly upstreamStatus: number | null;
  /** The failure, if it was no status. */
  readonly failure: string | null;
  /** The upstream's words, without secrets and prompts. */
  readonly message: string | null;
  /** From the arrival of the request to the begin of the attempt. */
  readonly startedMs: number;
  readonly durationMs: number;
}

/**
 * When the steps of a request began or ended, in milliseconds from its arrival. Null where the
 * request did not get so far.
 */
export interface RequestPhases {
  /** The request has been read and its key is known: its prompt is counted and money is held. */
  readonly holdFromMs: number | null;
  readonly heldMs: number | null;
  /** The begin of the last attempt. */
  readonly attemptFromMs: number | null;
  /** The reply is over except for its last byte, which waits for the settle. */
  readonly settleFromMs: number | null;
}

/** The summary of a finished request, from which its log line is made. */
export interface RequestSummary extends RequestPhases {
  /** When it came, on the steady clock: durations are counted from it. */
  readonly startedAtMs: number;
  /** The same moment on the ledger's clock, which its bill and its entry are dated by. */
  readonly createdAtMs: number;
  readonly requestId: string;
  /** Null while it is not known whose request it is. */
  readonly principal: RequestSender | null;
  readonly model: string | null;
  readonly stream: boolean;
  /** The channel of the last attempt. */
  readonly channelId: string | null;
  /** The operator's project and location at the last attempt's cloud; absent or null: none. */
  readonly place?: string | null;
  readonly attempts: number;
  readonly status: UsageStatus;
  /** The status that the client got; 0 when it left before one was sent. */
  readonly httpStatus: number;
  /** On the steady clock. */
  readonly firstByteAtMs: number | null;
  readonly tokens: TokenCounts | null;
  readonly estimated: boolean;
  readonly capped: boolean;
  readonly costNanoUsd: number;
  /** The catalogue's code of a refusal. */
  readonly refused: string | null;
  /** The reason why the last attempt failed, in words for the operator. */
  readonly upstreamFailure: string | null;
  /** Null for paths that belong to no protocol. */
  readonly protocol: string | null;
  /** The refusal that the client got. */
  readonly refusalMessage: string | null;
  readonly failedAttempts: readonly FailedAttempt[] | null;
  /** The sender of a request without a known key; null if not recorded. */
  readonly unauthenticated: { readonly address: string; readonly keyPrefix: string | null } | null;
}

/** The log of one HTTP thread. */
export interface RequestLog {
  /**
   * Writes one line for each request. Never a secret, never a prompt. Returns what it has written
   * about the request, as JSON members; undefined when nothing was written.
   * @param nowMs on the steady clock
   */
  request(summary: RequestSummary, nowMs?: number): string | undefined;
  /** A broken invariant, with its stack. */
  broken(requestId: string, error: unknown): void;
}

/** pino's number for "info". */
const INFO = 30;

/** A line reaches stdout this much later at most; lines of busy moments travel together. */
const LINGER_MS = 50;

/**
 * Writes one line for each request: who, what, how it ended, what it cost, how long it took. Of
 * requests that no known key sent, at most so many a second.
 *
 * The line is put together by hand, in pino's format: pino takes about 20 microseconds of CPU for
 * it, which is half of what the whole request path costs; this takes three, the writing included.
 */
export function requestLog(logger: Logger, unauthenticatedLinesPerSecond: number): RequestLog {
  const limiter = new UnauthenticatedLogLimiter(logger, unauthenticatedLinesPerSecond);
  const lines = new LineBuffer(logStreamOf(logger));
  const bindings = logger.bindings();
  const beginning = rememberLatest((nowMs: number) => {
    const time = new Date(nowMs).toISOString();
    const text = JSON.stringify({ level: INFO, time, ...bindings, requestId: '' });
    return text.slice(0, -'"}'.length);
  });
  return {
    request: (trace, nowMs = steadyNowMs()) => {
      if (!logger.isLevelEnabled('info')) return undefined;
      if (trace.principal === null && !limiter.take(nowMs)) return undefined;
      const members = requestMembers(trace, nowMs - trace.startedAtMs);
      lines.add(`${beginning(Date.now())}${trace.requestId}"${members},"msg":"request"}\n`);
      return members;
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

/** Wraps `make` so that it runs again only when its argument differs from the one before. */
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
