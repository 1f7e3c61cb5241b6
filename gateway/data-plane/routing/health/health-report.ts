import { FAILURES_MAX, type HealthState } from './breaker.ts';
import { NO_OUTCOMES, type ChannelOutcomes } from './channel-outcomes.ts';
import type { ChannelState } from './channel-state.ts';

/** A model that is not asked for at a channel for a while. */
export interface LimitedModel {
  readonly upstreamModel: string;
  readonly untilMs: number;
  /** The upstream limits it, does not have it, or fails. */
  readonly reason: 'limited' | 'missing' | 'failing';
}

/** The operator's view of a channel. */
export interface HealthReport {
  readonly state: HealthState;
  /**
   * Epoch milliseconds; null unless it is open. An unresponsive channel is tried again when an
   * attempt that waits ends.
   */
  readonly retryAtMs: number | null;
  /** Also what is kept from one account alone. */
  readonly limitedModels: readonly LimitedModel[];
  readonly outcomes: ChannelOutcomes;
}

export function reportHealth(channel: ChannelState | undefined, nowMs: number): HealthReport {
  if (channel === undefined) {
    return { state: 'closed', retryAtMs: null, limitedModels: [], outcomes: NO_OUTCOMES };
  }
  const outcomes = channel.outcomes.read();
  const openUntilMs = Math.max(
    channel.reach.openUntilMs,
    channel.service.openUntilMs,
    // A model that fails is no failing channel, unless nothing else of it has been served since.
    outcomes.failedAtMs.length < FAILURES_MAX ? 0 : openRouteUntilMs(channel),
  );
  const isOpen = nowMs < openUntilMs || !channel.silence.isOver(nowMs);
  return {
    state: isOpen ? 'open' : openUntilMs === 0 ? 'closed' : 'half_open',
    retryAtMs: nowMs < openUntilMs ? openUntilMs : null,
    limitedModels: limitedModels(channel, nowMs),
    outcomes,
  };
}

function openRouteUntilMs({ routes }: ChannelState): number {
  let latest = 0;
  for (const route of routes.values()) latest = Math.max(latest, route.openUntilMs());
  return latest;
}

function limitedModels({ limits, routes }: ChannelState, nowMs: number): LimitedModel[] {
  const models: LimitedModel[] = [];
  for (const [upstreamModel, cooldown] of limits) {
    models.push({ upstreamModel, untilMs: cooldown.latestMs(), reason: 'limited' });
  }
  for (const route of routes.values()) {
    const { upstreamModel, missing } = route;
    models.push({ upstreamModel, untilMs: missing.latestMs(), reason: 'missing' });
    models.push({ upstreamModel, untilMs: route.openUntilMs(), reason: 'failing' });
  }
  return models.filter(({ untilMs }) => nowMs < untilMs);
}
