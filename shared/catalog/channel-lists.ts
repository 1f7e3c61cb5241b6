import * as Type from 'typebox';
import type { Static } from 'typebox';
import { ACTIVITY_SORTS } from '../watch/activity.ts';
import { listOf } from '../api/pages.ts';
import { choice, closed, Id } from '../api/wire-values.ts';

/** The fields that channels can be sorted by; `-` is descending. */
export const CHANNEL_SORTS = [
  'name',
  '-name',
  'priority',
  '-priority',
  'created',
  '-created',
  'health',
  '-health',
  ...ACTIVITY_SORTS,
] as const;
export type ChannelSort = (typeof CHANNEL_SORTS)[number];

export const ChannelListQuery = closed({
  /** Part of a name, an address or a model's public ID. */
  search: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(choice(['active', 'disabled'])),
  /**
   * By priority, the highest first, unless another one is named. `health` begins with the worst.
   */
  sort: Type.Optional(choice(CHANNEL_SORTS)),
});
export type ChannelListQuery = Static<typeof ChannelListQuery>;

/** A channel to choose. */
const ChannelNameView = closed({ id: Id, name: Type.String() });
export const ChannelNameList = listOf(ChannelNameView);
export type ChannelNameList = Static<typeof ChannelNameList>;
