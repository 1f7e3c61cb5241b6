import type { ChannelOutcomes } from './channel-outcomes.ts';

/** Of the breaker. */
export type HealthState = 'closed' | 'open' | 'half_open';

/** A model that is left alone because the upstream limits it, or does not have it. */
export interface LimitedModel {
  readonly upstreamModel: string;
  readonly untilMs: number;
  readonly reason: 'limited' | 'missing';
}

/** What the operator is told. */
export interface HealthReport {
  readonly state: HealthState;
  /**
   * Epoch milliseconds; null unless it rests. What is silent is tried again when it, or an attempt
   * that waits, ends.
   */
  readonly retryAtMs: number | null;
  readonly limitedModels: readonly LimitedModel[];
  readonly outcomes: ChannelOutcomes;
}
