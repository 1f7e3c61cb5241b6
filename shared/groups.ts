import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Count,
  Id,
  Instant,
  Limit,
  Multiplier,
  Name,
  nullable,
  Text,
} from './wire-values.ts';
import { listOf } from './pages.ts';
import { PROTOCOL_IDS } from './protocols.ts';

export const GROUP_MODELS_MAX = 5000;
/** Null: all. A tool of another protocol is told which groups are for it. */
const Protocols = nullable(
  Type.Array(choice(PROTOCOL_IDS), {
    minItems: 1,
    maxItems: PROTOCOL_IDS.length,
    uniqueItems: true,
    description: 'The protocols that keys of the group may be used with.',
  }),
);
const SortOrder = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 });

/** A named set of models with a price multiplier. */
export const GroupCreate = closed({
  name: Name,
  description: Type.Optional(Text),
  multiplier: Type.Optional(Multiplier),
  /** Per account and minute within this group. */
  rpm: Type.Optional(Limit),
  tpm: Type.Optional(Limit),
  status: Type.Optional(choice(['active', 'disabled'])),
  protocols: Type.Optional(Protocols),
  sortOrder: Type.Optional(SortOrder),
  modelIds: Type.Optional(Type.Array(Id, { maxItems: GROUP_MODELS_MAX })),
});
export type GroupCreate = Static<typeof GroupCreate>;

export const GroupUpdate = Type.Partial(GroupCreate, { additionalProperties: false });
export type GroupUpdate = Static<typeof GroupUpdate>;

/** A group as shown to a user who chooses one for a key. */
export const GroupView = closed({
  id: Id,
  name: Type.String(),
  description: Type.String(),
  multiplier: Multiplier,
  rpm: Limit,
  tpm: Limit,
  status: choice(['active', 'disabled']),
  /** Those that its keys may be used with; null: all. */
  protocols: Protocols,
  sortOrder: Type.Integer(),
  /** Active models with a price in force. */
  modelsCount: Count,
  createdAt: Instant,
  updatedAt: Instant,
});
export type GroupView = Static<typeof GroupView>;

export const GroupDetail = closed({
  ...GroupView.properties,
  modelIds: Type.Array(Id),
  keysCount: Count,
});
export type GroupDetail = Static<typeof GroupDetail>;

export const GroupList = listOf(GroupView);
export type GroupList = Static<typeof GroupList>;
