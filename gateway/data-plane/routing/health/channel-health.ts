import { steadyNowMs } from '../../../platform/clock/steady-clock.ts';
import { UPSTREAM_RETRY_AFTER_MS_MAX, type Refusal } from '../../../platform/errors/refusal.ts';
import type { AttemptNumber, Evidence } from './breaker.ts';
import type { AttemptFailure } from './channel-outcomes.ts';
import { ChannelState, limitKey, type HealthRoute } from './channel-state.ts';
import { Cooldown } from './cooldown.ts';
import { reportHealth, type HealthReport } from './health-report.ts';
import { SILENCE_MS_MAX } from './silence.ts';

/** An attempt that has begun. */
export interface BegunAttempt {
  readonly number: AttemptNumber;
  readonly route: HealthRoute;
  /** Null where the channel has none, or only one. */
  readonly credential: string | null;
  readonly accountId: string;
}

/** `unknown`: the client left, or the request itself was refused. */
export type AttemptResult = 'succeeded' | 'failed' | 'limited' | 'unknown';

interface CredentialState {
  readonly refused: Cooldown;
  readonly limits: Map<string, Cooldown>;
}

const COOLDOWN_MS_DEFAULT = 1_000;
/** The time for which a route is not asked for a model that its upstream does not have. */
const MISSING_MS = 60_000;
/** The same where the channel serves the model in another protocol meanwhile. */
const OTHER_PROTOCOL_MS = 600_000;

/**
 * Tracks the health of channels in one thread. It decides which accounts are kept from what, by
 * the narrowest explanation of a failure (docs/decisions/0014-channel-health.md):
 *
 * - a model at a channel in one protocol (`RouteHealth`), for one account or for all;
 * - a model that the upstream limits, or a credential that it refuses (`Cooldown`), likewise;
 * - the channel, when it cannot be reached, or when several models fail for several accounts.
 *
 * An unresponsive channel (`Silence`) is the last choice.
 */
export class ChannelHealth {
  readonly #channels = new Map<string, ChannelState>();
  readonly #credentials = new Map<string, CredentialState>();
  readonly #now: () => number;
  #latest: AttemptNumber = 0;

  constructor(now: () => number = steadyNowMs) {
    this.#now = now;
  }

  /** Reports whether the account may be served on the route now. */
  mayUse(route: HealthRoute, accountId: string): boolean {
    const state = this.#channels.get(route.channel.id);
    if (state === undefined) return true;
    const { concurrencyMax } = route.channel;
    if (concurrencyMax !== null && state.inFlight >= concurrencyMax) return false;
    const untilMs = state.blockedUntilMs(route, accountId);
    return untilMs === 0 || this.#now() >= untilMs;
  }

  /**
   * The same for one of a channel's credentials.
   * @param limited the `limitKey` of the route
   */
  mayUseCredential(credential: string, limited: string, accountId: string): boolean {
    return this.#now() >= this.#credentialUntilMs(credential, limited, accountId);
  }

  /**
   * Reports whether other channels are better: many attempts have waited for as long as a stream
   * may wait for its first byte, and none got a reply.
   */
  isUnresponsive(channelId: string): boolean {
    return this.#channels.get(channelId)?.silence.isOver(this.#now()) === false;
  }

  started(
    route: HealthRoute,
    { credential, accountId }: Pick<BegunAttempt, 'credential' | 'accountId'>,
  ): BegunAttempt {
    const state = this.#state(route.channel.id);
    const now = this.#now();
    this.#latest += 1;
    const number = this.#latest;
    state.inFlight += 1;
    state.silence.started(now + Math.min(route.channel.timeouts.firstByteMs, SILENCE_MS_MAX));
    state.reach.started(number, accountId, now);
    state.service.started(number, accountId, now);
    state.routes.get(route.healthKey)?.started(number, accountId, now);
    const isOneOfSeveral = route.channel.credentials.length > 1;
    return { number, route, accountId, credential: isOneOfSeveral ? credential : null };
  }

  /** The upstream has sent the head of a reply, whatever its status: it can be reached. */
  onHeaders({ number, route }: BegunAttempt): void {
    const state = this.#state(route.channel.id);
    state.silence.onHeaders(this.#latest);
    state.reach.succeeded(number);
  }

  /** The attempt has brought content, or the head of a whole reply. */
  onFirstContent({ number, route, accountId }: BegunAttempt): void {
    const state = this.#state(route.channel.id);
    state.service.brought(number);
    state.routes.get(route.healthKey)?.brought(number, accountId);
  }

  /** The attempt is over; called exactly once for each `started`. */
  finished(attempt: BegunAttempt, succeeded: boolean): void {
    const { number, route, accountId } = attempt;
    const state = this.#state(route.channel.id);
    const known = state.routes.get(route.healthKey);
    state.inFlight -= 1;
    state.silence.ended(number);
    state.reach.ended(number);
    state.service.ended(number);
    known?.ended(number, accountId);
    if (!succeeded) return;
    state.outcomes.succeeded(this.#now());
    state.service.succeeded(number);
    known?.succeeded(number, accountId);
    state.limits.get(limitKey(route))?.succeeded(number);
    if (attempt.credential === null) return;
    const credential = this.#credentials.get(attempt.credential);
    credential?.refused.succeeded(number);
    credential?.limits.get(limitKey(route))?.succeeded(number);
  }

  /**
   * Weighs a failure that the request may have caused.
   * @param digest of the request's body
   */
  failed({ number, route, accountId }: BegunAttempt, digest: string): void {
    const { channel, upstreamModel } = route;
    const state = this.#state(channel.id);
    const evidence: Evidence = { accountId, digest, upstreamModel };
    const now = this.#now();
    state.route(route).failed(number, evidence, now, this.#latest);
    state.service.failed(number, evidence, now, this.#latest);
  }

  /** The upstream could not be reached: no request can have caused that. */
  unreachable({ number, route, accountId }: BegunAttempt): void {
    const evidence = { accountId, digest: String(number), upstreamModel: route.upstreamModel };
    const { reach } = this.#state(route.channel.id);
    reach.failed(number, evidence, this.#now(), this.#latest);
  }

  /** The upstream limits the model, for one of the channel's credentials or for its only one. */
  limited(attempt: BegunAttempt, retryAfterMs: number | null): void {
    const { number, route, credential, accountId } = attempt;
    const forMs = Math.min(retryAfterMs ?? COOLDOWN_MS_DEFAULT, UPSTREAM_RETRY_AFTER_MS_MAX);
    const now = this.#now();
    const { limits } =
      credential === null ? this.#state(route.channel.id) : this.#credential(credential);
    // Models come and go: what is kept are those of the last minutes, whatever is asked for.
    for (const [model, cooldown] of limits) if (cooldown.latestMs() <= now) limits.delete(model);
    const key = limitKey(route);
    let cooldown = limits.get(key);
    if (cooldown === undefined) {
      cooldown = new Cooldown();
      limits.set(key, cooldown);
    }
    cooldown.refused(accountId, { attempt: number, untilMs: now + forMs }, now);
  }

  /** The upstream refuses one of the channel's credentials. */
  credentialRefused({ number, credential, accountId }: BegunAttempt, forMs: number): void {
    if (credential === null) return;
    const now = this.#now();
    const { refused } = this.#credential(credential);
    refused.refused(accountId, { attempt: number, untilMs: now + forMs }, now);
  }

  /**
   * The upstream does not have the model, or not in this protocol.
   * @param refusal what clients get meanwhile, where the upstream's words are for them
   */
  missing(
    { number, route, accountId }: BegunAttempt,
    { refusal, hasOther }: { readonly refusal?: Refusal | undefined; readonly hasOther: boolean },
  ): void {
    const known = this.#state(route.channel.id).route(route);
    const now = this.#now();
    const untilMs = now + (hasOther ? OTHER_PROTOCOL_MS : MISSING_MS);
    known.missingRefusal = refusal;
    known.missing.refused(accountId, { attempt: number, untilMs }, now);
  }

  /**
   * Returns the refusal for an account that is kept from a route whose upstream lacks the model.
   */
  missingRefusal({ channel, healthKey }: HealthRoute, accountId: string): Refusal | undefined {
    const known = this.#channels.get(channel.id)?.routes.get(healthKey);
    if (known === undefined || this.#now() >= known.missing.untilMs(accountId)) return undefined;
    return known.missingRefusal;
  }

  /** Reports whether only the upstream's limit keeps the account from the route. */
  isLimited(route: HealthRoute, accountId: string): boolean {
    const { credentials, id } = route.channel;
    const now = this.#now();
    const isOn = (limits: Map<string, Cooldown> | undefined): boolean =>
      now < (limits?.get(limitKey(route))?.untilMs(accountId) ?? 0);
    if (isOn(this.#channels.get(id)?.limits)) return true;
    return (
      credentials.length > 0 && credentials.every((one) => isOn(this.#credentials.get(one)?.limits))
    );
  }

  /** Returns the milliseconds until the account can be served on the route again. */
  unavailableForMs(route: HealthRoute, accountId: string): number {
    const state = this.#channels.get(route.channel.id);
    const { credentials } = route.channel;
    const channelMs = state === undefined ? 0 : state.blockedUntilMs(route, accountId);
    const credentialsMs = credentials.map((one) =>
      this.#credentialUntilMs(one, limitKey(route), accountId),
    );
    const credentialMs = credentials.length === 0 ? 0 : Math.min(...credentialsMs);
    return Math.max(0, channelMs - this.#now(), credentialMs - this.#now());
  }

  /**
   * Notes a failure for the operator: also one that keeps no request away, as of a credential among
   * several.
   */
  noteFailure(channelId: string, failure: AttemptFailure): void {
    this.#state(channelId).outcomes.failed(this.#now(), failure);
  }

  report(channelId: string): HealthReport {
    return reportHealth(this.#channels.get(channelId), this.#now());
  }

  #credentialUntilMs(credential: string, limited: string, accountId: string): number {
    const state = this.#credentials.get(credential);
    if (state === undefined) return 0;
    const limitedMs = state.limits.get(limited)?.untilMs(accountId) ?? 0;
    return Math.max(state.refused.untilMs(accountId), limitedMs);
  }

  #credential(credential: string): CredentialState {
    let state = this.#credentials.get(credential);
    if (state === undefined) {
      state = { refused: new Cooldown(), limits: new Map() };
      this.#credentials.set(credential, state);
    }
    return state;
  }

  #state(channelId: string): ChannelState {
    let state = this.#channels.get(channelId);
    if (state === undefined) {
      state = new ChannelState();
      this.#channels.set(channelId, state);
    }
    return state;
  }
}
