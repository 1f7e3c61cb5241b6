import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Count,
  Id,
  Instant,
  Limit,
  Name,
  nullable,
  partial,
  Serial,
  TEXT_KIND,
  Usd,
  UsdAmount,
} from '../api/wire-values.ts';
import { KeyLogin } from './device-logins.ts';
import { ACTIVITY_SORTS } from '../watch/activity.ts';
import { countedPageOf, PAGE_QUERY } from '../api/pages.ts';

/** An address or a range: `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/32`. */
export const CidrRange = Type.String({ pattern: '^[0-9A-Fa-f:.]{2,45}(/\\d{1,3})?$' });

export const KEY_IP_RANGES_MAX = 100;
export const KEY_MODELS_MAX = 200;
/** Keys of one account that are not deleted. */
export const KEYS_PER_ACCOUNT_MAX = 500;

/**
 * Keys of one batch. The account is locked while they are made and their values are shown on one
 * page, so a team has room and no member uses up the account's keys by mistake.
 */
export const KEY_BATCH_MAX = 100;

/** The longest time for which both values work after a rotation. */
export const ROTATION_OVERLAP_SECONDS_MAX = 30 * 86_400;

/**
 * Limits that several keys can be given at once. Null is no limit; a budget of 0 allows nothing.
 * Days and months are those of the account's time zone.
 */
export const KEY_BULK_LIMITS = {
  expiresAt: nullable(Instant),
  budgetTotalUsd: nullable(UsdAmount),
  budgetDayUsd: nullable(UsdAmount),
  budgetMonthUsd: nullable(UsdAmount),
  /** Requests per minute. */
  rpm: Limit,
  /** Tokens per minute. */
  tpm: Limit,
  concurrencyMax: Limit,
};

/** Null is no limit; a budget of 0 allows nothing. Days and months are UTC. */
const KEY_LIMITS = {
  ...KEY_BULK_LIMITS,
  /** Empty allows every address. */
  ipAllowlist: Type.Array(CidrRange, { maxItems: KEY_IP_RANGES_MAX }),
  /** Public model IDs; empty allows every model of the group. */
  modelAllowlist: Type.Array(Type.String({ minLength: 1, maxLength: 128, [TEXT_KIND]: 'ascii' }), {
    maxItems: KEY_MODELS_MAX,
  }),
};

const KeyLimitsPart = partial(closed(KEY_LIMITS));

/** A member's key stops with the membership; the account's survives people. */
export const KEY_OWNERS = ['member', 'account'] as const;
export type KeyOwner = (typeof KEY_OWNERS)[number];

const KeyOwnerPart = {
  /** `member`, the caller's own key, unless given. */
  owner: Type.Optional(choice(KEY_OWNERS)),
  /** The team that a key of the account is for. A member's key is for their team. */
  teamId: Type.Optional(nullable(Serial)),
};

export const KeyCreate = closed({
  name: Name,
  groupId: Id,
  ...KeyOwnerPart,
  ...KeyLimitsPart.properties,
});
export type KeyCreate = Static<typeof KeyCreate>;

/** Names are at most 100 characters: a space and the number take up to four of them. */
const NAME_PREFIX_MAX = 96;

/** Makes several keys that differ in name and value alone. Takes an Idempotency-Key. */
export const KeyBatchCreate = closed({
  /** A number follows it: `Team 01`, `Team 02`. */
  namePrefix: Type.String({ minLength: 1, maxLength: NAME_PREFIX_MAX, pattern: '\\S' }),
  count: Type.Integer({ minimum: 1, maximum: KEY_BATCH_MAX }),
  groupId: Id,
  ...KeyOwnerPart,
  ...KeyLimitsPart.properties,
});
export type KeyBatchCreate = Static<typeof KeyBatchCreate>;

const { owner: _owner, teamId: _teamId, ...KeyBatchFields } = KeyBatchCreate.properties;

/** The same for any account, made by an operator. The keys are the account's. */
export const KeyBatchAdminCreate = closed({ accountId: Id, ...KeyBatchFields });
export type KeyBatchAdminCreate = Static<typeof KeyBatchAdminCreate>;

/** A change of the group keeps the list of models, whose models the new group must have. */
export const KeyUpdate = partial(
  closed({ name: Name, groupId: Id, status: choice(['active', 'disabled']), ...KEY_LIMITS }),
  { additionalProperties: false },
);
export type KeyUpdate = Static<typeof KeyUpdate>;

export const KEY_STATUSES = ['active', 'disabled', 'deleted'] as const;

export const KeyView = closed({
  id: Id,
  accountId: Id,
  accountName: Type.String(),
  name: Type.String(),
  /** `sk-` and a few characters, to recognise it. */
  prefix: Type.String(),
  groupId: Id,
  groupName: Type.String(),
  /** `closed`: the account or its team may not use the group any more; the key is refused. */
  groupState: choice(['open', 'disabled', 'closed']),
  owner: choice(KEY_OWNERS),
  /** The member whose key it is; null for keys of the account. */
  memberId: nullable(Serial),
  memberEmail: nullable(Type.String()),
  /** The member has left the account, or may not log in: the key is refused. */
  memberGone: Type.Boolean(),
  teamId: nullable(Serial),
  teamName: nullable(Type.String()),
  /** The member who made the key; null if it was made by an operator or before members existed. */
  createdBy: nullable(Type.String()),
  status: choice(KEY_STATUSES),
  ...KEY_LIMITS,
  /** Requests and replies are kept for so many days; null while they are not. */
  contentLog: nullable(closed({ days: Count })),
  /** Drained usage: a second or so behind. */
  spend: closed({ totalUsd: Usd, dayUsd: Usd, monthUsd: Usd }),
  lastUsedAt: nullable(Instant),
  /** After a rotation: until when the former value still works. */
  formerValueWorksUntil: nullable(Instant),
  /** The login of the tool that holds the key; null for others. To delete it is to log out. */
  login: nullable(KeyLogin),
  createdAt: Instant,
  updatedAt: Instant,
});
export type KeyView = Static<typeof KeyView>;

/** `value` is shown this once; it is stored nowhere. */
export const KeyCreated = closed({ ...KeyView.properties, value: Type.String() });
export type KeyCreated = Static<typeof KeyCreated>;

/**
 * Values are in the first reply alone. A repeat of the request finds the keys that it made, with
 * null for each value.
 */
export const KeyBatchCreated = closed({
  keys: Type.Array(closed({ ...KeyView.properties, value: nullable(Type.String()) })),
});
export type KeyBatchCreated = Static<typeof KeyBatchCreated>;

export const KeyRotationCreate = closed({
  /** 0 stops the former value at once. */
  overlapSeconds: Type.Integer({ minimum: 0, maximum: ROTATION_OVERLAP_SECONDS_MAX, default: 0 }),
});
export type KeyRotationCreate = Static<typeof KeyRotationCreate>;

/**
 * A second value of the key that works for a short while, so that the playground needs no paste.
 */
export const TemporaryKeyValue = closed({ value: Type.String(), worksUntil: Instant });
export type TemporaryKeyValue = Static<typeof TemporaryKeyValue>;

/** The filters of lists of keys. */
export const KEY_FILTERS = {
  status: Type.Optional(choice(['active', 'disabled'])),
  /**
   * Part of the name, or the visible prefix of the key. Better look for a whole key by a search
   * (`POST /searches`): addresses are written into logs.
   */
  search: Type.Optional(Type.String({ maxLength: 300 })),
};

export const KEY_ADMIN_FILTERS = {
  ...KEY_FILTERS,
  accountId: Type.Optional(Id),
  groupId: Type.Optional(Id),
};

/**
 * The fields that keys can be sorted by; `-` is descending. `spend` is that of this month, the
 * other figures are those of the latest 24 hours.
 */
export const KEY_SORTS = [
  'name',
  '-name',
  'created',
  '-created',
  'used',
  '-used',
  ...ACTIVITY_SORTS,
] as const;
export type KeySort = (typeof KEY_SORTS)[number];

/** Newest first unless another order is named. */
const KEY_SORT = { sort: Type.Optional(choice(KEY_SORTS)) };

export const KeyListQuery = closed({ ...PAGE_QUERY, ...KEY_FILTERS, ...KEY_SORT });
export type KeyListQuery = Static<typeof KeyListQuery>;

export const KeyAdminListQuery = closed({ ...PAGE_QUERY, ...KEY_ADMIN_FILTERS, ...KEY_SORT });
export type KeyAdminListQuery = Static<typeof KeyAdminListQuery>;
export const KeyPage = countedPageOf(KeyView);
export type KeyPage = Static<typeof KeyPage>;

/** The changes that an admin may make to someone's key. */
export const KeyAdminUpdate = closed({ status: choice(['active', 'disabled']) });
export type KeyAdminUpdate = Static<typeof KeyAdminUpdate>;
