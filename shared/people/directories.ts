import * as Type from 'typebox';
import type { Static } from 'typebox';
import { closed, Count, Id, Instant, nullable } from '../api/wire-values.ts';

/** SCIM is served below this path, on the port of the admin API. */
export const SCIM_ROOT = '/scim/v2';

/** Tokens of directories begin so. */
export const DIRECTORY_TOKEN_PREFIX = 'weir_scim_';

/** Two, so that a token is replaced without a gap. */
export const DIRECTORY_TOKENS_MAX = 2;

/** The acts of directories in the audit log. Directories call no route of the admin API. */
export const DIRECTORY_ACTS = [
  'scimCreateUser',
  'scimUpdateUser',
  'scimDeleteUser',
  'scimCreateGroup',
  'scimUpdateGroup',
  'scimDeleteGroup',
  'scimApplyRules',
] as const;
export type DirectoryAct = (typeof DIRECTORY_ACTS)[number];

const TOKEN = {
  id: Id,
  /** The first characters. */
  prefix: Type.String(),
  lastUsedAt: nullable(Instant),
  createdAt: Instant,
};

export const DirectoryView = closed({
  /** False: the provider has no directory, and its claims decide at each sign-on. */
  enabled: Type.Boolean(),
  /** To be entered at the provider as the tenant URL or SCIM base address. */
  address: Type.String(),
  tokens: Type.Array(closed(TOKEN)),
  usersCount: Count,
  activeUsersCount: Count,
  groupsCount: Count,
  lastCallAt: nullable(Instant),
  /** The reason of the last call that was refused. */
  lastRefusal: nullable(Type.String()),
  lastRefusedAt: nullable(Instant),
});
export type DirectoryView = Static<typeof DirectoryView>;

/** `token` is shown this once. */
export const DirectoryTokenCreated = closed({ ...TOKEN, token: Type.String() });
export type DirectoryTokenCreated = Static<typeof DirectoryTokenCreated>;

/** The schemas of this file by their names in the API. */
export const DIRECTORY_SCHEMAS = { DirectoryView, DirectoryTokenCreated } as const;
