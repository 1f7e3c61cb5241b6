import type { ChannelView } from '@weir/shared/channels';

/** How the list can be ordered besides by priority, which is how the server sends it. */
export const CHANNEL_ORDERS = ['name', '-name', 'health'] as const;
export type ChannelOrder = (typeof CHANNEL_ORDERS)[number] | '';

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
 * All channels in another order. There are few, and they come whole, so the page sorts them. Equal
 * ones keep the order of the server.
 */
export function sortChannels(
  channels: readonly ChannelView[],
  order: ChannelOrder,
): readonly ChannelView[] {
  if (order === '') return channels;
  if (order === 'health') return channels.toSorted((a, b) => rank(a) - rank(b));
  const sign = order === 'name' ? 1 : -1;
  return channels.toSorted((a, b) => sign * a.name.localeCompare(b.name));
}
