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
  partial,
  Text,
} from '../api/wire-values.ts';
import { listOf, PAGE_LIMIT_MAX, PAGE_QUERY, pageOf } from '../api/pages.ts';
import { PROTOCOL_IDS } from './protocols.ts';

export const GROUP_MODELS_MAX = 5000;
/** Null: all. A tool of another protocol is shown which groups are for it. */
const Protocols = nullable(
  Type.Array(choice(PROTOCOL_IDS), {
    minItems: 1,
    maxItems: PROTOCOL_IDS.length,
    uniqueItems: true,
    description: 'The protocols that keys of the group may be used with.',
  }),
);
const SortOrder = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 });

/**
 * For whom a group is. `public`: all accounts. `code`: accounts that entered its code once.
 * `chosen`: accounts that an operator chose. The groups of the last two are hidden from all others.
 */
export const GROUP_ACCESSES = ['public', 'code', 'chosen'] as const;
export type GroupAccess = (typeof GROUP_ACCESSES)[number];

/** A named set of models with a price multiplier. */
export const GroupCreate = closed({
  name: Name,
  description: Type.Optional(Text),
  multiplier: Type.Optional(Multiplier),
  /** Per account and minute within this group. */
  rpm: Type.Optional(Limit),
  tpm: Type.Optional(Limit),
  status: Type.Optional(choice(['active', 'disabled'])),
  /** A group that is for a code gets one, unless it has one from before. */
  access: Type.Optional(choice(GROUP_ACCESSES)),
  protocols: Type.Optional(Protocols),
  sortOrder: Type.Optional(SortOrder),
  modelIds: Type.Optional(Type.Array(Id, { maxItems: GROUP_MODELS_MAX })),
});
export type GroupCreate = Static<typeof GroupCreate>;

export const GroupUpdate = partial(GroupCreate, { additionalProperties: false });
export type GroupUpdate = Static<typeof GroupUpdate>;

/** A group as shown to a user who chooses one for a key. */
export const GroupView = closed({
  id: Id,
  name: Type.String(),
  description: Type.String(),
  /** The multiplier of the caller's account; administrators see the group's own. */
  multiplier: Multiplier,
  access: choice(GROUP_ACCESSES),
  /** True if the caller's account may use it. Administrators also see groups that it may not. */
  open: Type.Boolean(),
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

// The accounts of a group.
// -----------------------------------------------------------------------------

/** Accounts that one call adds. */
export const GROUP_ACCOUNTS_PER_CALL_MAX = PAGE_LIMIT_MAX;

/** The price of an account's own instead of the group's multiplier; null: the group's. */
const OwnMultiplier = nullable(Multiplier);

/** Adds accounts to a group, or changes the multiplier of those that it has. */
export const GroupAccountsCreate = closed({
  accountIds: Type.Array(Id, {
    minItems: 1,
    maxItems: GROUP_ACCOUNTS_PER_CALL_MAX,
    uniqueItems: true,
  }),
  multiplier: Type.Optional(OwnMultiplier),
});
export type GroupAccountsCreate = Static<typeof GroupAccountsCreate>;

/**
 * An account that has a group: it may use it if the group is not public, and may have a price of
 * its own there.
 */
export const GroupAccountView = closed({
  groupId: Id,
  groupName: Type.String(),
  groupAccess: choice(GROUP_ACCESSES),
  groupMultiplier: Multiplier,
  accountId: Id,
  accountName: Type.String(),
  multiplier: OwnMultiplier,
  /** `code`: the account entered the group's code. */
  joinedBy: choice(['operator', 'code']),
  createdAt: Instant,
});
export type GroupAccountView = Static<typeof GroupAccountView>;

export const GroupAccountListQuery = closed(PAGE_QUERY);
export type GroupAccountListQuery = Static<typeof GroupAccountListQuery>;
export const GroupAccountPage = pageOf(GroupAccountView);
export type GroupAccountPage = Static<typeof GroupAccountPage>;
export const GroupAccountList = listOf(GroupAccountView);
export type GroupAccountList = Static<typeof GroupAccountList>;

/** The code that opens a group; null for a group that never was for a code. */
export const GroupCodeView = closed({ code: nullable(Type.String()) });
export type GroupCodeView = Static<typeof GroupCodeView>;
