import type { ChannelSort } from '@weir/shared/catalog/channel-lists';
import type { ChannelView } from '@weir/shared/catalog/channels';

const WORST_FIRST: readonly ChannelView['health']['state'][] = [
  'failing',
  'open',
  'half_open',
  'unknown',
  'healthy',
];
const DISABLED_RANK = WORST_FIRST.length;

function rank({ status, health }: ChannelView): number {
  return status === 'disabled' ? DISABLED_RANK : WORST_FIRST.indexOf(health.state);
}

/**
 * Sorts by what only the processes know; `health` begins with the worst. Equal channels keep their
 * order, and any other sort leaves it as it is.
 */
export function sortByHealth(
  channels: readonly ChannelView[],
  sort: ChannelSort | undefined,
): ChannelView[] {
  if (sort !== 'health' && sort !== '-health') return [...channels];
  const sign = sort === 'health' ? 1 : -1;
  return channels.toSorted((one, other) => sign * (rank(one) - rank(other)));
}
