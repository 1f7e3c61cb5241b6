import type { ChannelStatus } from '../control-plane/admin-deps.ts';
import { mergeOutcomes } from '../data-plane/routing/health/channel-outcomes.ts';
import type { LimitedModel } from '../data-plane/routing/health/health-report.ts';
import type { ThreadCounters } from '../data-plane/threads/messages.ts';
import type { Supervisor } from '../data-plane/threads/supervisor.ts';
import type { ClosingStack } from './closing-stack.ts';

/** The console shows it to people. */
const LOOK_MS = 2_000;

/**
 * Keeps what the threads last said of the channels, for an admin API that has no time to ask them.
 */
export function watchChannels(
  supervisor: Supervisor,
  closing: ClosingStack,
): () => readonly ChannelStatus[] {
  let known: readonly ChannelStatus[] = [];
  const look = async (): Promise<void> => {
    known = worstStates(await supervisor.counters());
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  closing.push('watch over channels', () => {
    clearInterval(timer);
    return undefined;
  });
  return () => known;
}

const SEVERITY = { closed: 0, half_open: 1, open: 2 } as const;

/**
 * Each thread judges for itself; a channel is as bad as the worst that is thought of it, and a
 * model rests as long as anywhere.
 */
export function worstStates(counters: readonly ThreadCounters[]): ChannelStatus[] {
  const worst = new Map<string, ChannelStatus>();
  for (const { channels } of counters) {
    for (const { channelId, state, retryAtMs, limitedModels, outcomes } of channels) {
      const seen: ChannelStatus = { channelId, state, retryAtMs, limitedModels, outcomes };
      const known = worst.get(channelId);
      worst.set(channelId, known === undefined ? seen : worse(known, seen));
    }
  }
  return [...worst.values()];
}

function worse(a: ChannelStatus, b: ChannelStatus): ChannelStatus {
  const byModel = new Map<string, LimitedModel>();
  for (const limited of [...a.limitedModels, ...b.limitedModels]) {
    const known = byModel.get(limited.upstreamModel);
    if (known === undefined || limited.untilMs > known.untilMs) {
      byModel.set(limited.upstreamModel, limited);
    }
  }
  const { channelId, state, retryAtMs } = SEVERITY[b.state] > SEVERITY[a.state] ? b : a;
  const outcomes = mergeOutcomes(a.outcomes, b.outcomes);
  return { channelId, state, retryAtMs, limitedModels: [...byModel.values()], outcomes };
}
