import { mergeOutcomes } from '../routing/health/channel-outcomes.ts';
import type { ThreadCounters } from './messages.ts';

/**
 * Two threads' counters as one, for what threads that have ended leave behind. What is in flight
 * there is over.
 */
export function addCounters(a: ThreadCounters | undefined, b: ThreadCounters): ThreadCounters {
  if (a === undefined) return { ...b, inFlight: 0, settlesPending: 0 };
  return {
    requests: a.requests + b.requests,
    inFlight: 0,
    statuses: addStatuses(a.statuses, b.statuses),
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costNanoUsd: a.costNanoUsd + b.costNanoUsd,
    uncollectedNanoUsd: a.uncollectedNanoUsd + b.uncollectedNanoUsd,
    settlesPending: 0,
    latencyMsBuckets: b.latencyMsBuckets.map(({ le, count }, index) => ({
      le,
      count: count + (a.latencyMsBuckets[index]?.count ?? 0),
    })),
    latencyMsSum: a.latencyMsSum + b.latencyMsSum,
    channels: addChannels(a.channels, b.channels),
  };
}

function addStatuses(
  a: ThreadCounters['statuses'],
  b: ThreadCounters['statuses'],
): Record<string, number> {
  const sums: Record<string, number> = { ...a };
  for (const [status, count] of Object.entries(b)) sums[status] = (sums[status] ?? 0) + count;
  return sums;
}

/** A thread that has ended avoids no channel. */
function addChannels(
  a: ThreadCounters['channels'],
  b: ThreadCounters['channels'],
): ThreadCounters['channels'] {
  const sums = new Map<string, ThreadCounters['channels'][number]>();
  for (const { channelId, attempts, failures, outcomes } of [...a, ...b]) {
    const known = sums.get(channelId);
    sums.set(channelId, {
      channelId,
      state: 'closed',
      retryAtMs: null,
      limitedModels: [],
      outcomes: known === undefined ? outcomes : mergeOutcomes(known.outcomes, outcomes),
      attempts: attempts + (known?.attempts ?? 0),
      failures: failures + (known?.failures ?? 0),
    });
  }
  return [...sums.values()];
}
