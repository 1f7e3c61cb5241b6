import type { ChannelStatus } from '../admin/admin-deps.ts';
import type { ThreadCounters } from '../threads/messages.ts';
import type { Supervisor } from '../threads/supervisor.ts';
import type { ClosingStack } from './closing-stack.ts';

/** The console shows it to people. */
const LOOK_MS = 2_000;

/** Keeps what the threads last said of the channels, for an admin API that has no time to ask them. */
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

/** Each thread judges for itself; a channel is as bad as the worst that is thought of it. */
export function worstStates(counters: readonly ThreadCounters[]): ChannelStatus[] {
  const worst = new Map<string, ChannelStatus>();
  for (const { channelId, state } of counters.flatMap(({ channels }) => channels)) {
    const known = worst.get(channelId);
    if (known === undefined || SEVERITY[state] > SEVERITY[known.state]) {
      worst.set(channelId, { channelId, state, retryAtMs: null });
    }
  }
  return [...worst.values()];
}
