import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Count,
  EmailAddress,
  Id,
  Instant,
  KnownPassword,
  nullable,
  partial,
  Password,
} from '../api/wire-values.ts';
import { PAGE_QUERY, pageOf } from '../api/pages.ts';

export const USER_ROLES = ['user', 'support', 'admin'] as const;
export type UserRole = (typeof USER_ROLES)[number];

export const LANGUAGES = ['en', 'zh-CN'] as const;
export const THEMES = ['system', 'light', 'dark'] as const;

/** A person who logs in. Money belongs to the account. */
export const UserView = closed({
  id: Id,
  accountId: Id,
  email: Type.String(),
  role: choice(USER_ROLES),
  emailVerified: Type.Boolean(),
  secondFactor: Type.Boolean(),
  disabled: Type.Boolean(),
  language: nullable(choice(LANGUAGES)),
  theme: choice(THEMES),
  createdAt: Instant,
  lastLoginAt: nullable(Instant),
});
export type UserView = Static<typeof UserView>;

/** The preferences that users may change for themselves. */
export const UserPreferencesUpdate = partial(
  closed({ language: nullable(choice(LANGUAGES)), theme: choice(THEMES) }),
  { additionalProperties: false },
);
export type UserPreferencesUpdate = Static<typeof UserPreferencesUpdate>;

/** The changes that an admin may make to any user. */
export const UserUpdate = partial(closed({ role: choice(USER_ROLES), disabled: Type.Boolean() }), {
  additionalProperties: false,
});
export type UserUpdate = Static<typeof UserUpdate>;

/** The fields that users can be sorted by; `-` is descending. */
export const USER_SORTS = [
  'email',
  '-email',
  'created',
  '-created',
  'login',
  '-login',
  'role',
  '-role',
] as const;
export type UserSort = (typeof USER_SORTS)[number];

export const UserListQuery = closed({
  ...PAGE_QUERY,
  /** Part of an e-mail address. */
  search: Type.Optional(Type.String({ maxLength: 100 })),
  accountId: Type.Optional(Id),
  /** Newest first unless another order is named. */
  sort: Type.Optional(choice(USER_SORTS)),
});
export type UserListQuery = Static<typeof UserListQuery>;
export const UserPage = pageOf(UserView);
export type UserPage = Static<typeof UserPage>;

/** The address that a user logs in with. */
export const EmailChange = closed({ email: EmailAddress });
export type EmailChange = Static<typeof EmailChange>;

/** The way to a new password after an administrator has reset it. */
export const PasswordResetView = closed({
  /** A link was mailed to the user. */
  mailed: Type.Boolean(),
  /** The link, to be handed on; null if it was mailed. */
  link: nullable(Type.String()),
  /** The hours for which the link works. */
  hours: Count,
});
export type PasswordResetView = Static<typeof PasswordResetView>;

export const PasswordChange = closed({
  currentPassword: KnownPassword,
  newPassword: Password,
});
export type PasswordChange = Static<typeof PasswordChange>;
