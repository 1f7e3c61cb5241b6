import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Id,
  Instant,
  KnownEmailAddress,
  KnownPassword,
  Name,
  nullable,
} from '../api/wire-values.ts';
import { listOf } from '../api/pages.ts';
import { MemberRoleChoice, MembershipView } from './members.ts';
import { UserView } from './users.ts';

/** The cookie that carries a session; HttpOnly, SameSite=Lax, `__Host-` prefixed over https. */
export const SESSION_COOKIE = 'weir_session';

/**
 * Without `code`, a login to an account with a second factor is refused with
 * `second_factor_required` once the password was right; send all three again with the code.
 */
export const SessionCreate = closed({
  email: KnownEmailAddress,
  password: KnownPassword,
  /** A one-time password or a recovery code. */
  code: Type.Optional(Type.String({ minLength: 6, maxLength: 40, writeOnly: true })),
});
export type SessionCreate = Static<typeof SessionCreate>;

export const SessionView = closed({
  id: Id,
  /** The session this request was made with. */
  current: Type.Boolean(),
  address: Type.String(),
  userAgent: Type.String(),
  createdAt: Instant,
  lastSeenAt: Instant,
  expiresAt: Instant,
});
export type SessionView = Static<typeof SessionView>;

/** The session itself travels only in the cookie. */
export const SessionCreated = closed({
  session: SessionView,
  user: UserView,
  /** The account that the session acts in. */
  membership: MembershipView,
  memberships: Type.Array(MembershipView),
});
export type SessionCreated = Static<typeof SessionCreated>;

/** The logged-in user, and the account that they act in; null if there is none. */
export const Presence = closed({
  user: nullable(UserView),
  membership: nullable(MembershipView),
  /** All accounts of the user. */
  memberships: Type.Array(MembershipView),
});
export type Presence = Static<typeof Presence>;

export const SessionList = listOf(SessionView);
export type SessionList = Static<typeof SessionList>;

/**
 * The id of the user whom a page was made for: it must not act in the name of another who has
 * logged in since.
 */
export const PAGE_USER_HEADER = 'weir-page-user';

/**
 * The id of the account that a page was made for: it must not act in another one that was chosen in
 * a second tab since.
 */
export const PAGE_ACCOUNT_HEADER = 'weir-page-account';

// Personal access tokens: sessions for scripts, sent as a bearer credential.
// -----------------------

export const ACCESS_TOKEN_PREFIX = 'weir_pat_';

/**
 * A token acts in the account in which it was made. `read` may only GET, and no codes that can be
 * used. Neither may change passwords, factors, sessions or tokens, nor who is an administrator.
 */
export const ACCESS_TOKEN_SCOPES = ['read', 'full'] as const;

export const AccessTokenCreate = closed({
  name: Name,
  scope: choice(ACCESS_TOKEN_SCOPES),
  /** The most that the token may do in the account; absent or null: what its user may do. */
  role: Type.Optional(nullable(MemberRoleChoice)),
  expiresAt: Type.Optional(nullable(Instant)),
});
export type AccessTokenCreate = Static<typeof AccessTokenCreate>;

export const AccessTokenView = closed({
  id: Id,
  name: Type.String(),
  scope: choice(ACCESS_TOKEN_SCOPES),
  /** The account that it acts in. */
  accountId: Id,
  accountName: Type.String(),
  role: nullable(MemberRoleChoice),
  /** The first characters, to recognise it. */
  prefix: Type.String(),
  expiresAt: nullable(Instant),
  lastUsedAt: nullable(Instant),
  createdAt: Instant,
});
export type AccessTokenView = Static<typeof AccessTokenView>;

/** `token` is shown this once. */
export const AccessTokenCreated = closed({ ...AccessTokenView.properties, token: Type.String() });
export type AccessTokenCreated = Static<typeof AccessTokenCreated>;

export const AccessTokenList = listOf(AccessTokenView);
export type AccessTokenList = Static<typeof AccessTokenList>;
