/**
 * What one thread knows about a channel's health. Two things keep requests away from it, each by itself:
 *
 * - A cooldown, which a 429 asked for; of several credentials one may have its own. It ends at its time; nothing before or after it has to be proved.
 * - The breaker. States: closed (serving) -> open (resting until `restsUntilMs`) -> half-open (one probe at a time)
 *   -> closed when a probe answers, open again when one fails.
 */
interface Health {
  /** In a row. */
  failures: number;
  cooldownUntilMs: number;
  /** 0 while the breaker is closed. */
  restsUntilMs: number;
  /** The last attempt that had begun when the latest rest did. */
  lastBeforeRest: Attempt;
  /** The latest attempt that probes, `NONE` while none does. */
  probe: Attempt;
  /** Until then nobody else may; 0 while none does. */
  probeUntilMs: number;
  inFlight: number;
}

/** One attempt at one channel: attempts are numbered in the order they begin, so that old ones can be told from new ones. */
export type Attempt = number;

const NONE: Attempt = 0;

/** Failures in a row after which a channel rests. */
const FAILURES_MAX = 5;
const REST_MS_MIN = 1_000;
const REST_MS_MAX = 60_000;
/** A probe that has not answered by then lets another one try: a whole reply may take minutes, and an upstream may hang. */
const PROBE_MS_MAX = 10_000;
/** A Retry-After beyond this is not believed: an upstream must not be able to switch itself off for days. */
const COOLDOWN_MS_MAX = 600_000;
const COOLDOWN_MS_DEFAULT = 1_000;

export type HealthState = 'closed' | 'open' | 'half_open';

/** `unknown`: the attempt says nothing about the channel; the client left, or the request itself was refused. */
export type AttemptResult = 'succeeded' | 'failed' | 'limited' | 'unknown';

export class ChannelHealth {
  readonly #channels = new Map<string, Health>();
  readonly #now: () => number;
  #latest: Attempt = NONE;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  state(channelId: string): HealthState {
    const health = this.#channels.get(channelId);
    if (health === undefined) return 'closed';
    if (this.#now() < awayUntilMs(health)) return 'open';
    return health.restsUntilMs === 0 ? 'closed' : 'half_open';
  }

  /** True when a request may be sent there now. */
  mayUse(channelId: string, concurrencyMax: number | null): boolean {
    const health = this.#channels.get(channelId);
    if (health === undefined) return true;
    if (concurrencyMax !== null && health.inFlight >= concurrencyMax) return false;
    const untilMs = Math.max(awayUntilMs(health), health.probeUntilMs);
    return untilMs === 0 || this.#now() >= untilMs;
  }

  started(channelId: string): Attempt {
    const health = this.#entry(channelId);
    health.inFlight += 1;
    this.#latest += 1;
    if (health.restsUntilMs !== 0) {
      health.probe = this.#latest;
      health.probeUntilMs = this.#now() + PROBE_MS_MAX;
    }
    return this.#latest;
  }

  /**
   * The attempt has brought content, or the head of a whole reply. A probe has then shown what it was to show: others
   * must not wait for the end of a reply that may take minutes. Failures are forgotten only when it has ended well.
   */
  answered(channelId: string, attempt: Attempt): void {
    const health = this.#entry(channelId);
    if (health.restsUntilMs !== 0 && attempt > health.lastBeforeRest) closeBreaker(health);
  }

  /** How an attempt ended; called exactly once for each `started`. `retryAfterMs` is what a 429 asked for. */
  finished(
    channelId: string,
    attempt: Attempt,
    result: AttemptResult,
    retryAfterMs: number | null,
  ): void {
    const health = this.#entry(channelId);
    health.inFlight -= 1;
    if (health.probe === attempt) endProbe(health);
    if (result === 'limited') {
      // The upstream limits us: leave it alone for as long as it asks.
      this.coolDown(channelId, retryAfterMs);
      return;
    }
    // What began before the channel had its rest says nothing about the channel after it.
    if (attempt <= health.lastBeforeRest) return;
    if (result === 'succeeded') {
      health.failures = 0;
      closeBreaker(health);
    } else if (result === 'failed') {
      health.failures += 1;
      // A probe's is one more in the row.
      if (health.failures >= FAILURES_MAX) this.#rest(health);
    }
  }

  /** Leaves a channel, or one of its credentials, alone for so long. */
  coolDown(id: string, forMs: number | null): void {
    const health = this.#entry(id);
    const cooldownMs = Math.min(forMs ?? COOLDOWN_MS_DEFAULT, COOLDOWN_MS_MAX);
    health.cooldownUntilMs = Math.max(health.cooldownUntilMs, this.#now() + cooldownMs);
  }

  /** When the first of these channels can be tried again, in milliseconds from now. */
  restsForMs(channelIds: readonly string[]): number {
    const now = this.#now();
    const rests = channelIds.map((id) => {
      const health = this.#channels.get(id);
      return health === undefined ? 0 : awayUntilMs(health) - now;
    });
    return Math.max(0, Math.min(...rests));
  }

  #rest(health: Health): void {
    const doublings = Math.min(Math.max(0, health.failures - FAILURES_MAX), 16);
    const restMs = Math.min(REST_MS_MAX, REST_MS_MIN * 2 ** doublings);
    health.restsUntilMs = this.#now() + restMs;
    health.lastBeforeRest = this.#latest;
  }

  #entry(channelId: string): Health {
    let health = this.#channels.get(channelId);
    if (health === undefined) {
      health = {
        failures: 0,
        cooldownUntilMs: 0,
        restsUntilMs: 0,
        lastBeforeRest: NONE,
        probe: NONE,
        probeUntilMs: 0,
        inFlight: 0,
      };
      this.#channels.set(channelId, health);
    }
    return health;
  }
}

function awayUntilMs({ cooldownUntilMs, restsUntilMs }: Health): number {
  return Math.max(cooldownUntilMs, restsUntilMs);
}

function closeBreaker(health: Health): void {
  health.restsUntilMs = 0;
  endProbe(health);
}

function endProbe(health: Health): void {
  health.probe = NONE;
  health.probeUntilMs = 0;
}
