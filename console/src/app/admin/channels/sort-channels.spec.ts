import type { ChannelView } from '@weir/shared/channels';
import { expect, test } from 'vitest';
import { sortChannels, type ChannelOrder } from './sort-channels';

type Seen = Pick<ChannelView, 'name' | 'status'> & {
  readonly health: Pick<ChannelView['health'], 'state'>;
};

const seen = (
  name: string,
  state: ChannelView['health']['state'],
  status: ChannelView['status'] = 'active',
): ChannelView => ({ name, status, health: { state } }) satisfies Seen as ChannelView;

const CHANNELS = [
  seen('beta', 'healthy'),
  seen('Alpha', 'failing', 'disabled'),
  seen('gamma', 'open'),
  seen('delta', 'unknown'),
  seen('epsilon', 'failing'),
  seen('beta', 'half_open'),
];

const names = (order: ChannelOrder): string[] =>
  sortChannels(CHANNELS, order).map(({ name }) => name);

test('Channels come as the server sends them unless asked otherwise', () => {
  expect(sortChannels(CHANNELS, '')).toEqual(CHANNELS);
});

test('Channels are sorted by name, whatever its case', () => {
  expect(names('name')).toEqual(['Alpha', 'beta', 'beta', 'delta', 'epsilon', 'gamma']);
  expect(names('-name')).toEqual(['gamma', 'epsilon', 'delta', 'beta', 'beta', 'Alpha']);
});

test('Channels that fail come first, those that are not in use last', () => {
  expect(names('health')).toEqual(['epsilon', 'gamma', 'beta', 'delta', 'beta', 'Alpha']);
});
