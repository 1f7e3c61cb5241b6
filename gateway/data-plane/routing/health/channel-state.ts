import type { ChannelEntry } from '../../../catalog/snapshot.ts';
import { Breaker } from './breaker.ts';
import { OutcomeRecord } from './channel-outcomes.ts';
import type { Cooldown } from './cooldown.ts';
import { RouteHealth } from './route-health.ts';
import { Silence } from './silence.ts';

/** The route of an attempt, as far as its health matters. */
export interface HealthRoute {
  readonly channel: Pick<ChannelEntry, 'id' | 'concurrencyMax' | 'credentials' | 'timeouts'>;
  readonly upstreamModel: string;
  /** Absent where the channel has one alone. */
  readonly location?: string | undefined;
  /** Unique for channel, model, location, protocol of the upstream and operation. */
  readonly healthKey: string;
}

/** Returns the name of what an upstream limits: a model, at one location where it has several. */
export function limitKey({
  upstreamModel,
  location,
}: Pick<HealthRoute, 'upstreamModel' | 'location'>): string {
  return location === undefined ? upstreamModel : `${upstreamModel} ${location}`;
}

const REACH_RULE = { accountsMin: 1, modelsMin: 1 } as const;
const SERVICE_RULE = { accountsMin: 2, modelsMin: 2 } as const;

/** The health of one channel as one thread knows it. */
export class ChannelState {
  /** Open while the upstream cannot be reached: no request can be to blame for that. */
  readonly reach = new Breaker(REACH_RULE);
  /** Open while several models fail for several accounts. */
  readonly service = new Breaker(SERVICE_RULE);
  readonly silence = new Silence();
  /** The upstream's rate limits; see `limitKey`. */
  readonly limits = new Map<string, Cooldown>();
  /** By their health keys. */
  readonly routes = new Map<string, RouteHealth>();
  /** For the operator; nothing is decided by it. */
  readonly outcomes = new OutcomeRecord();
  inFlight = 0;

  route(route: HealthRoute): RouteHealth {
    const { healthKey } = route;
    let known = this.routes.get(healthKey);
    if (known === undefined) {
      known = new RouteHealth(limitKey(route));
      this.routes.set(healthKey, known);
    }
    return known;
  }

  /**
   * Returns the time from which an account may be served on the route, in epoch milliseconds; 0 or
   * past: now.
   */
  blockedUntilMs(route: HealthRoute, accountId: string): number {
    return Math.max(
      this.reach.blockedUntilMs(accountId),
      this.service.blockedUntilMs(accountId),
      this.limits.get(limitKey(route))?.untilMs(accountId) ?? 0,
      this.routes.get(route.healthKey)?.blockedUntilMs(accountId) ?? 0,
    );
  }
}
