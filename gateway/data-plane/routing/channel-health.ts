import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { ChannelEntry } from '../../catalog/snapshot.ts';
import { UPSTREAM_RETRY_AFTER_MS_MAX } from '../../platform/errors/refusal.ts';
import { NO_OUTCOMES, OutcomeRecord, type AttemptFailure } from './channel-outcomes.ts';
import type { HealthReport, HealthState } from './health-report.ts';

/**
 * What one thread knows about a channel's health. Two things keep requests away from it, each by
 * itself:
 *
 * - A cooldown. A 429 asks for one of its model alone: vendors limit by the model, and the channel
 *   serves the others. One
 *   of several credentials may have its own, of a model or, when it was refused, of all. It ends at its time; nothing
 *   before or after it has to be proved.
 * - The breaker. States: closed (serving) -> open (resting until `openUntilMs`) -> half-open (one
 *   probe at a time)
 * -> closed when a probe answers, open again when one fails.
 *
 * And one makes it the last choice: silence. Whole replies have no time-out but the total one, so
 * that an upstream which takes them and hangs fails for a quarter of an hour at the earliest.
 * Replies may well take that long, therefore nothing is refused for it and nothing cut off.
 */
interface Health {
  /** In a row. */
  failures: number;
  cooldownUntilMs: number;
  /** Cooldowns of single models, by the names that the upstream has for them. */
  readonly models: Map<string, ModelCooldown>;
  /** 0 while the breaker is closed. */
  openUntilMs: number;
  /** The last attempt that had begun when the latest rest did. */
  lastBeforeRest: AttemptNumber;
  /** The latest attempt that probes, `NONE` while none does. */
  probe: AttemptNumber;
  /** Until then nobody else may; 0 while none does. */
  probeUntilMs: number;
  inFlight: number;
  /**
   * The last attempt that had begun when the upstream last sent the head of a reply, good or bad.
   */
  lastBeforeHead: AttemptNumber;
  /** Attempts in flight that have begun since then. */
  waiting: number;
  /**
   * When it is silent: enough of them have waited all the time until then. Infinity while they are
   * fewer.
   */
  silentAtMs: number;
  /** For the operator; nothing is decided by it. */
  readonly outcomes: OutcomeRecord;
}

/** Why one model is not asked for at a channel, and until when. */
interface ModelCooldown {
  readonly untilMs: number;
  /** The upstream limits requests for it; false: it does not have the model. */
  readonly limited: boolean;
}

/**
 * One attempt at one channel: they are numbered in the order they begin, so that old ones can be
 * told from new ones.
 */
export type AttemptNumber = number;

const NONE: AttemptNumber = 0;

/**
 * Failures in a row after which a channel rests, and attempts that have to wait in vain before it
 * counts as silent.
 */
const FAILURES_MAX = 5;
const REST_MS_MIN = 1_000;
const REST_MS_MAX = 60_000;
/**
 * A probe that has not answered by then lets another one try: a whole reply may take minutes, and
 * an upstream may hang.
 */
const PROBE_MS_MAX = 10_000;
const COOLDOWN_MS_DEFAULT = 1_000;

/** How long a model is not asked for at a channel that does not have it. */
const MISSING_MODEL_COOLDOWN_MS = 60_000;

/**
 * `unknown`: the attempt says nothing about the channel; the client left, or the request itself was
 * refused.
 */
export type AttemptResult = 'succeeded' | 'failed' | 'limited' | 'unknown';

export class ChannelHealth {
  readonly #channels = new Map<string, Health>();
  readonly #now: () => number;
  #latest: AttemptNumber = NONE;

  constructor(now: () => number = steadyNowMs) {
    this.#now = now;
  }

  state(channelId: string): HealthState {
    const health = this.#channels.get(channelId);
    if (health === undefined) return 'closed';
    const now = this.#now();
    if (now < health.openUntilMs || now >= health.silentAtMs) return 'open';
    return health.openUntilMs === 0 ? 'closed' : 'half_open';
  }

  report(channelId: string): HealthReport {
    const state = this.state(channelId);
    const health = this.#channels.get(channelId);
    if (health === undefined) {
      return { state, retryAtMs: null, limitedModels: [], outcomes: NO_OUTCOMES };
    }
    dropOver(health.models, this.#now());
    return {
      state,
      retryAtMs: this.#now() < health.openUntilMs ? health.openUntilMs : null,
      limitedModels: Array.from(health.models, ([upstreamModel, { untilMs, limited }]) => ({
        upstreamModel,
        untilMs,
        reason: limited ? 'limited' : 'missing',
      })),
      outcomes: health.outcomes.read(),
    };
  }

  /** True when a request for the model may be sent there now. */
  mayUse(id: string, upstreamModel: string, concurrencyMax: number | null): boolean {
    const health = this.#channels.get(id);
    if (health === undefined) return true;
    if (concurrencyMax !== null && health.inFlight >= concurrencyMax) return false;
    const untilMs = Math.max(awayUntilMs(health, upstreamModel), health.probeUntilMs);
    return untilMs === 0 || this.#now() >= untilMs;
  }

  /**
   * Whether another channel is better: none of many attempts has heard a word for as long as a
   * stream may wait for its first.
   */
  isUnresponsive(channelId: string): boolean {
    const health = this.#channels.get(channelId);
    return (
      health !== undefined && health.silentAtMs !== Infinity && this.#now() >= health.silentAtMs
    );
  }

  /** @param silenceMsMax how long a channel that many wait for may say nothing at all */
  started(channelId: string, silenceMsMax: number): AttemptNumber {
    const health = this.#entry(channelId);
    health.inFlight += 1;
    health.waiting += 1;
    if (health.waiting === FAILURES_MAX) health.silentAtMs = this.#now() + silenceMsMax;
    this.#latest += 1;
    if (health.openUntilMs !== 0) {
      health.probe = this.#latest;
      health.probeUntilMs = this.#now() + PROBE_MS_MAX;
    }
    return this.#latest;
  }

  /** The upstream has sent the head of a reply, whatever stands in it: it does not hang. */
  onHeaders(channelId: string): void {
    const health = this.#entry(channelId);
    health.lastBeforeHead = this.#latest;
    health.waiting = 0;
    health.silentAtMs = Infinity;
  }

  /**
   * The attempt has brought content, or the head of a whole reply. A probe has then shown what it
   * was to show: others must not wait for the end of a reply that may take minutes. Failures are
   * forgotten only when it has ended well.
   */
  onFirstContent(channelId: string, attempt: AttemptNumber): void {
    const health = this.#entry(channelId);
    if (health.openUntilMs !== 0 && attempt > health.lastBeforeRest) closeBreaker(health);
  }

  /** How an attempt ended; called exactly once for each `started`. */
  finished(channelId: string, attempt: AttemptNumber, result: AttemptResult): void {
    const health = this.#entry(channelId);
    health.inFlight -= 1;
    if (result === 'succeeded') health.outcomes.succeeded(this.#now());
    if (health.probe === attempt) endProbe(health);
    if (attempt > health.lastBeforeHead) {
      health.waiting -= 1;
      if (health.waiting < FAILURES_MAX) health.silentAtMs = Infinity;
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

  /**
   * Notes a failure for the operator: also one that keeps no request away, as of a credential among
   * several.
   */
  noteFailure(channelId: string, failure: AttemptFailure): void {
    this.#entry(channelId).outcomes.failed(this.#now(), failure);
  }

  /** Leaves one of a channel's credentials alone for so long. */
  coolDown(credential: string, forMs: number): void {
    const health = this.#entry(credential);
    health.cooldownUntilMs = Math.max(health.cooldownUntilMs, this.#now() + forMs);
  }

  /** Asks a channel, or one of its credentials, for no such model for as long as its 429 said. */
  limit(id: string, upstreamModel: string, retryAfterMs: number | null): void {
    const forMs = Math.min(retryAfterMs ?? COOLDOWN_MS_DEFAULT, UPSTREAM_RETRY_AFTER_MS_MAX);
    this.#coolDownModel(id, upstreamModel, { forMs, limited: true });
  }

  /**
   * The channel does not have the model: it is asked for the others only, and for this one later.
   */
  missModel(channelId: string, upstreamModel: string): void {
    const forMs = MISSING_MODEL_COOLDOWN_MS;
    this.#coolDownModel(channelId, upstreamModel, { forMs, limited: false });
  }

  #coolDownModel(
    id: string,
    upstreamModel: string,
    { forMs, limited }: { readonly forMs: number; readonly limited: boolean },
  ): void {
    const { models } = this.#entry(id);
    const now = this.#now();
    // Models come and go: what is kept are those of the last minutes, whatever is asked for.
    dropOver(models, now);
    const untilMs = now + forMs;
    const known = models.get(upstreamModel);
    if (known === undefined || known.untilMs < untilMs) {
      models.set(upstreamModel, { untilMs, limited });
    }
  }

  /** Whether nothing but the upstream's limit keeps the model from being asked for at a channel. */
  isLimited({ channel }: { readonly channel: ChannelEntry }, upstreamModel: string): boolean {
    const limits = (id: string): boolean => this.limits(id, upstreamModel);
    const { id, credentials } = channel;
    return limits(id) || (credentials.length > 1 && credentials.every(limits));
  }

  /** Whether the upstream limits a model at a channel, or for one of its credentials. */
  limits(id: string, upstreamModel: string): boolean {
    const cooldown = this.#channels.get(id)?.models.get(upstreamModel);
    return cooldown?.limited === true && this.#now() < cooldown.untilMs;
  }

  /** When the channel can be asked for the model again, in milliseconds from now. */
  unavailableForMs(channelId: string, upstreamModel: string): number {
    const health = this.#channels.get(channelId);
    if (health === undefined) return 0;
    return Math.max(0, awayUntilMs(health, upstreamModel) - this.#now());
  }

  #rest(health: Health): void {
    const doublings = Math.min(Math.max(0, health.failures - FAILURES_MAX), 16);
    const restMs = Math.min(REST_MS_MAX, REST_MS_MIN * 2 ** doublings);
    health.openUntilMs = this.#now() + restMs;
    health.lastBeforeRest = this.#latest;
  }

  #entry(channelId: string): Health {
    let health = this.#channels.get(channelId);
    if (health === undefined) {
      health = {
        failures: 0,
        cooldownUntilMs: 0,
        models: new Map(),
        openUntilMs: 0,
        lastBeforeRest: NONE,
        probe: NONE,
        probeUntilMs: 0,
        inFlight: 0,
        lastBeforeHead: NONE,
        waiting: 0,
        silentAtMs: Infinity,
        outcomes: new OutcomeRecord(),
      };
      this.#channels.set(channelId, health);
    }
    return health;
  }
}

function awayUntilMs(health: Health, upstreamModel: string): number {
  const { cooldownUntilMs, openUntilMs, models } = health;
  return Math.max(cooldownUntilMs, openUntilMs, models.get(upstreamModel)?.untilMs ?? 0);
}

function dropOver(models: Map<string, ModelCooldown>, nowMs: number): void {
  for (const [model, { untilMs }] of models) if (untilMs <= nowMs) models.delete(model);
}

function closeBreaker(health: Health): void {
  health.openUntilMs = 0;
  endProbe(health);
}

function endProbe(health: Health): void {
  health.probe = NONE;
  health.probeUntilMs = 0;
}
