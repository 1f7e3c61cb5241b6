/**
 * What one thread knows about a channel's health.
 *
 * States: closed (serving) -> open (resting until `restsUntilMs`) -> half-open (one probe at a time) -> closed
 * on success, open again on failure. A 429 opens it for as long as its Retry-After says.
 */
interface Health {
  failures: number;
  restsUntilMs: number;
  probing: boolean;
  inFlight: number;
}

/** Failures in a row after which a channel rests. */
const FAILURES_MAX = 5;
const REST_MS_MIN = 1_000;
const REST_MS_MAX = 60_000;
/** A Retry-After beyond this is not believed: an upstream must not be able to switch itself off for days. */
const COOLDOWN_MS_MAX = 600_000;
const COOLDOWN_MS_DEFAULT = 1_000;

export type HealthState = 'closed' | 'open' | 'half_open';

/** `unknown`: the attempt says nothing about the channel; the client left, or the request itself was refused. */
export type AttemptResult = 'succeeded' | 'failed' | 'limited' | 'unknown';

export class ChannelHealth {
  readonly #channels = new Map<string, Health>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  state(channelId: string): HealthState {
    const health = this.#channels.get(channelId);
    if (health === undefined || health.restsUntilMs === 0) return 'closed';
    return this.#now() < health.restsUntilMs ? 'open' : 'half_open';
  }

  /** True when a request may be sent there now. */
  mayUse(channelId: string, concurrencyMax: number | null): boolean {
    const health = this.#channels.get(channelId);
    if (health === undefined) return true;
    if (concurrencyMax !== null && health.inFlight >= concurrencyMax) return false;
    if (health.restsUntilMs === 0) return true;
    return !health.probing && this.#now() >= health.restsUntilMs;
  }

  started(channelId: string): void {
    const health = this.#entry(channelId);
    health.inFlight += 1;
    if (health.restsUntilMs !== 0) health.probing = true;
  }

  /** How an attempt ended; called exactly once for each `started`. `retryAfterMs` is what a 429 asked for. */
  finished(channelId: string, result: AttemptResult, retryAfterMs: number | null): void {
    const health = this.#entry(channelId);
    const probed = health.probing;
    health.inFlight -= 1;
    health.probing = false;
    if (result === 'succeeded') {
      health.failures = 0;
      health.restsUntilMs = 0;
    } else if (result === 'limited') {
      // The upstream limits us: leave it alone for as long as it asks.
      const cooldownMs = Math.min(retryAfterMs ?? COOLDOWN_MS_DEFAULT, COOLDOWN_MS_MAX);
      health.restsUntilMs = Math.max(health.restsUntilMs, this.#now() + cooldownMs);
    } else if (result === 'failed') {
      health.failures += 1;
      if (probed || health.failures >= FAILURES_MAX) this.#rest(health);
    }
  }

  /** When the first of these channels can be tried again, in milliseconds from now. */
  restsForMs(channelIds: readonly string[]): number {
    const now = this.#now();
    const rests = channelIds.map((id) => (this.#channels.get(id)?.restsUntilMs ?? 0) - now);
    return Math.max(0, Math.min(...rests));
  }

  #rest(health: Health): void {
    const doublings = Math.min(Math.max(0, health.failures - FAILURES_MAX), 16);
    const restMs = Math.min(REST_MS_MAX, REST_MS_MIN * 2 ** doublings);
    health.restsUntilMs = this.#now() + restMs;
  }

  #entry(channelId: string): Health {
    let health = this.#channels.get(channelId);
    if (health === undefined) {
      health = { failures: 0, restsUntilMs: 0, probing: false, inFlight: 0 };
      this.#channels.set(channelId, health);
    }
    return health;
  }
}
