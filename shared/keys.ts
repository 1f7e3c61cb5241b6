import { Type, type Static } from 'typebox';
import {
  choice,
  closed,
  Id,
  Instant,
  Limit,
  Name,
  nullable,
  Usd,
  UsdAmount,
} from './wire-values.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

/** An address or a range: `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/32`. */
export const CidrRange = Type.String({ pattern: '^[0-9A-Fa-f:.]{2,45}(/\\d{1,3})?$' });

export const KEY_IP_RANGES_MAX = 100;
export const KEY_MODELS_MAX = 200;
/** Keys of one account that are not deleted. */
export const KEYS_PER_ACCOUNT_MAX = 500;

/** How long both the old and the new value work after a rotation. */
export const ROTATION_OVERLAP_SECONDS_MAX = 30 * 86_400;

/** Null is no limit; a budget of 0 allows nothing. Days and months are UTC. */
const KEY_LIMITS = {
  expiresAt: nullable(Instant),
  budgetTotalUsd: nullable(UsdAmount),
  budgetDayUsd: nullable(UsdAmount),
  budgetMonthUsd: nullable(UsdAmount),
  /** Requests per minute. */
  rpm: Limit,
  /** Tokens per minute. */
  tpm: Limit,
  concurrencyMax: Limit,
  /** Empty allows every address. */
  ipAllowlist: Type.Array(CidrRange, { maxItems: KEY_IP_RANGES_MAX }),
  /** Public model IDs; empty allows every model of the group. */
  modelAllowlist: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
    maxItems: KEY_MODELS_MAX,
  }),
};

const KeyLimitsPart = Type.Partial(closed(KEY_LIMITS));

/** The group is chosen here, once. */
export const KeyCreate = closed({
  name: Name,
  groupId: Id,
  ...KeyLimitsPart.properties,
});
export type KeyCreate = Static<typeof KeyCreate>;

export const KeyUpdate = Type.Partial(
  closed({ name: Name, status: choice(['active', 'disabled']), ...KEY_LIMITS }),
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
  status: choice(KEY_STATUSES),
  ...KEY_LIMITS,
  /** Drained usage: a second or so behind. */
  spend: closed({ totalUsd: Usd, dayUsd: Usd, monthUsd: Usd }),
  lastUsedAt: nullable(Instant),
  /** After a rotation: until when the former value still works. */
  formerValueWorksUntil: nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
});
export type KeyView = Static<typeof KeyView>;

/** `value` is shown this once; it is stored nowhere. */
export const KeyCreated = closed({ ...KeyView.properties, value: Type.String() });
export type KeyCreated = Static<typeof KeyCreated>;

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

export const KeyListQuery = closed({
  ...PAGE_QUERY,
  status: Type.Optional(choice(['active', 'disabled'])),
  /** Part of the name, or the visible prefix of the key. */
  search: Type.Optional(Type.String({ maxLength: 100 })),
});
export type KeyListQuery = Static<typeof KeyListQuery>;

export const KeyAdminListQuery = closed({
  ...KeyListQuery.properties,
  accountId: Type.Optional(Id),
  groupId: Type.Optional(Id),
});
export type KeyAdminListQuery = Static<typeof KeyAdminListQuery>;
export const KeyPage = pageOf(KeyView);
export type KeyPage = Static<typeof KeyPage>;

/** What an admin may do to someone's key. */
export const KeyAdminUpdate = closed({ status: choice(['active', 'disabled']) });
export type KeyAdminUpdate = Static<typeof KeyAdminUpdate>;
