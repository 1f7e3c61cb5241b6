/**
 * One attempt at one channel. Attempts are numbered in the order in which they begin, so that the
 * outcome of an attempt that began before a breaker opened is not taken for news.
 */
export type AttemptNumber = number;

export type HealthState = 'closed' | 'open' | 'half_open';

/** A request that failed, as evidence against what it was sent to. */
export interface Evidence {
  readonly accountId: string;
  /** The digest of the request's body: the same request that fails again is no further evidence. */
  readonly digest: string;
  readonly upstreamModel: string;
}

/** The evidence that opens a breaker. */
export interface BreakerRule {
  /** Distinct accounts whose requests must have failed. */
  readonly accountsMin: number;
  /** Distinct models that must have failed. */
  readonly modelsMin: number;
}

const NONE: AttemptNumber = 0;

/** Requests that must have failed in a row before a breaker opens. */
export const FAILURES_MAX = 5;
/**
 * The most failures that count for one account, or one model, where several are required: the
 * single bad request of a second account must not complete the evidence of one that sends nothing
 * else.
 */
const FAILURES_OF_ONE_MAX = 3;
/** Failures that are remembered; the oldest goes first. */
const EVIDENCE_MAX = 64;
const OPEN_MS_MIN = 1_000;
const OPEN_MS_MAX = 60_000;
const DOUBLINGS_MAX = 16;
/**
 * A probe without content by then lets the next one go: a whole reply may take minutes, and an
 * upstream may hang.
 */
const PROBE_MS_MAX = 10_000;

/**
 * A circuit breaker that weighs whose requests fail.
 *
 * States: closed -> open (until `openUntilMs`) -> half-open (one probe at a time) -> closed when a
 * probe brings content, open again when probes of `accountsMin` accounts have failed. Each opening
 * lasts twice as long as the one before; a success ends the row.
 */
export class Breaker {
  readonly #rule: BreakerRule;
  /** The failures since the last success or opening. */
  #evidence: Evidence[] = [];
  /** Openings since the last success. */
  #openings = 0;
  /** Epoch milliseconds; 0 while closed. */
  #openUntilMs = 0;
  /** The latest attempt that had begun when the breaker opened. */
  #lastBeforeOpen: AttemptNumber = NONE;
  /** The attempt that probes, and who sent it. */
  #probe: AttemptNumber = NONE;
  #prober = '';
  #probeUntilMs = 0;

  constructor(rule: BreakerRule) {
    this.#rule = rule;
  }

  /** Reports whether nothing has failed since the last success. */
  get isClean(): boolean {
    return this.#openUntilMs === 0 && this.#openings === 0 && this.#evidence.length === 0;
  }

  state(nowMs: number): HealthState {
    if (this.#openUntilMs === 0) return 'closed';
    return nowMs < this.#openUntilMs ? 'open' : 'half_open';
  }

  /** Returns the time from which an account may be served here, in epoch milliseconds; 0: now. */
  blockedUntilMs(accountId: string): number {
    if (this.#openUntilMs === 0) return 0;
    // An account whose probe hangs leaves the next one to others, or it could keep them out.
    const isOthersTurn = this.#rule.accountsMin > 1 && this.#prober === accountId;
    return Math.max(this.#openUntilMs, this.#probeUntilMs + (isOthersTurn ? PROBE_MS_MAX : 0));
  }

  /** The time at which the breaker stops being open, in epoch milliseconds; 0 while closed. */
  get openUntilMs(): number {
    return this.#openUntilMs;
  }

  started(attempt: AttemptNumber, accountId: string, nowMs: number): void {
    if (this.#openUntilMs === 0) return;
    this.#probe = attempt;
    this.#prober = accountId;
    this.#probeUntilMs = nowMs + PROBE_MS_MAX;
  }

  /**
   * The attempt has brought content. A probe has then shown what it was to show: others must not
   * wait for the end of a reply that may take minutes. The row of failures ends with `succeeded`.
   */
  brought(attempt: AttemptNumber): void {
    if (this.#openUntilMs !== 0 && attempt > this.#lastBeforeOpen) this.#close();
  }

  succeeded(attempt: AttemptNumber): void {
    if (attempt <= this.#lastBeforeOpen || this.isClean) return;
    this.#evidence = [];
    this.#openings = 0;
    this.#close();
  }

  /** The attempt is over, however it ended. */
  ended(attempt: AttemptNumber): void {
    if (this.#probe === attempt) this.#endProbe();
  }

  /**
   * Weighs a failure.
   * @param latest the latest attempt that has begun
   */
  failed(attempt: AttemptNumber, evidence: Evidence, nowMs: number, latest: AttemptNumber): void {
    if (attempt <= this.#lastBeforeOpen || this.#knows(evidence)) return;
    this.#evidence.push(evidence);
    if (this.#evidence.length > EVIDENCE_MAX) this.#evidence.shift();
    const { accountsMin, modelsMin } = this.#rule;
    const failuresMin = this.#openings === 0 ? FAILURES_MAX : accountsMin;
    if (
      this.#suffices('accountId', accountsMin, failuresMin) &&
      this.#suffices('upstreamModel', modelsMin, failuresMin)
    ) {
      this.open(nowMs, latest);
    }
  }

  open(nowMs: number, latest: AttemptNumber): void {
    const openMs = Math.min(
      OPEN_MS_MAX,
      OPEN_MS_MIN * 2 ** Math.min(this.#openings, DOUBLINGS_MAX),
    );
    this.#openings += 1;
    this.#openUntilMs = nowMs + openMs;
    this.#lastBeforeOpen = latest;
    this.#evidence = [];
    this.#endProbe();
  }

  /** Reports whether a failure adds nothing to the existing evidence. */
  #knows({ accountId, digest, upstreamModel }: Evidence): boolean {
    return this.#evidence.some(
      (known) =>
        known.accountId === accountId &&
        known.upstreamModel === upstreamModel &&
        known.digest === digest,
    );
  }

  /** Reports whether failures of enough accounts, or models, add up to enough evidence. */
  #suffices(
    field: 'accountId' | 'upstreamModel',
    distinctMin: number,
    failuresMin: number,
  ): boolean {
    const counts = new Map<string, number>();
    for (const { [field]: name } of this.#evidence) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (counts.size < distinctMin) return false;
    const ofOneMax = distinctMin > 1 ? FAILURES_OF_ONE_MAX : Infinity;
    let failures = 0;
    for (const count of counts.values()) failures += Math.min(count, ofOneMax);
    return failures >= failuresMin;
  }

  #close(): void {
    this.#openUntilMs = 0;
    this.#endProbe();
  }

  #endProbe(): void {
    this.#probe = NONE;
    this.#prober = '';
    this.#probeUntilMs = 0;
  }
}
