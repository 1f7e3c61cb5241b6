/** The cause of an attempt's failure, for the operator alone. */
export interface AttemptFailure {
  /** The status of the upstream's reply; null if there was none. */
  readonly httpStatus: number | null;
  readonly message: string;
}

/** The results of the latest attempts at a channel, as seen by one thread or by all of them. */
export interface ChannelOutcomes {
  readonly lastSuccessAtMs: number | null;
  /** Failures since the last success, in order of time; only the latest are kept. */
  readonly failedAtMs: readonly number[];
  readonly lastFailure: AttemptFailure | null;
}

/**
 * The most failures that are counted in a row: a channel that has been down for a day costs no
 * memory.
 */
export const FAILURES_COUNTED_MAX = 100;
/** Some upstreams send a page. */
const MESSAGE_LETTERS_MAX = 300;

const NO_FAILURES: readonly number[] = [];

export const NO_OUTCOMES: ChannelOutcomes = {
  lastSuccessAtMs: null,
  failedAtMs: NO_FAILURES,
  lastFailure: null,
};

/** Follows the outcomes of one channel. A success costs two assignments. */
export class OutcomeRecord {
  #lastSuccessAtMs: number | null = null;
  #failedAtMs: readonly number[] = NO_FAILURES;
  #lastFailure: AttemptFailure | null = null;

  succeeded(nowMs: number): void {
    this.#lastSuccessAtMs = nowMs;
    this.#failedAtMs = NO_FAILURES;
  }

  failed(nowMs: number, { httpStatus, message }: AttemptFailure): void {
    this.#failedAtMs = [...this.#failedAtMs, nowMs].slice(-FAILURES_COUNTED_MAX);
    this.#lastFailure = { httpStatus, message: message.slice(0, MESSAGE_LETTERS_MAX) };
  }

  read(): ChannelOutcomes {
    return {
      lastSuccessAtMs: this.#lastSuccessAtMs,
      failedAtMs: this.#failedAtMs,
      lastFailure: this.#failedAtMs.length === 0 ? null : this.#lastFailure,
    };
  }
}

/** Merges what two threads saw: failures before a success of the other are over. */
export function mergeOutcomes(a: ChannelOutcomes, b: ChannelOutcomes): ChannelOutcomes {
  const lastSuccessAtMs = later(a.lastSuccessAtMs, b.lastSuccessAtMs);
  const failedAtMs = [...a.failedAtMs, ...b.failedAtMs]
    .filter((atMs) => atMs >= (lastSuccessAtMs ?? 0))
    .toSorted((one, other) => one - other)
    .slice(-FAILURES_COUNTED_MAX);
  const latest = (a.failedAtMs.at(-1) ?? 0) > (b.failedAtMs.at(-1) ?? 0) ? a : b;
  return {
    lastSuccessAtMs,
    failedAtMs,
    lastFailure: failedAtMs.length === 0 ? null : latest.lastFailure,
  };
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
