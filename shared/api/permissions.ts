import type { UserRole } from '../people/users.ts';

/** The roles of a member in an account. */
export const MEMBER_ROLES = ['owner', 'administrator', 'billing', 'member', 'viewer'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** Permissions within one account. Routes for users name the one that they need. */
export type MemberPermission =
  | 'account.read'
  /** Renames the account and decides which money is used first. */
  | 'account.manage'
  /** Reads the balance, credits, orders and statements. */
  | 'billing.read'
  /** Spends and receives the account's money: top-ups, plans, codes. */
  | 'billing.manage'
  | 'keys.read'
  | 'keys.write'
  /** With it, `keys.read` and `keys.write` concern all keys; without it, the member's own. */
  | 'keys.all'
  | 'usage.read'
  /** With it, `usage.read` concerns all requests; without it, those of the member's own keys. */
  | 'usage.all'
  | 'members.read'
  | 'members.manage'
  /** Offers ownership, and changes or removes owners. */
  | 'owners.manage'
  /** Forbids content logs, and lets operators read content. */
  | 'content.manage'
  | 'audit.read';

/** Permissions of the people who operate the installation. */
export type OperatorPermission = 'customers.read' | 'operate';

/** `self` is what every person may do with their own login. */
export type Permission = MemberPermission | OperatorPermission | 'self';

/** The permissions of each role in an account. What is not listed is refused. */
export const MEMBER_PERMISSIONS: Readonly<Record<MemberRole, readonly MemberPermission[]>> = {
  owner: [
    'account.read',
    'account.manage',
    'billing.read',
    'billing.manage',
    'keys.read',
    'keys.write',
    'keys.all',
    'usage.read',
    'usage.all',
    'members.read',
    'members.manage',
    'owners.manage',
    'content.manage',
    'audit.read',
  ],
  administrator: [
    'account.read',
    'account.manage',
    'billing.read',
    'keys.read',
    'keys.write',
    'keys.all',
    'usage.read',
    'usage.all',
    'members.read',
    'members.manage',
    'audit.read',
  ],
  billing: [
    'account.read',
    'billing.read',
    'billing.manage',
    'usage.read',
    'usage.all',
    'members.read',
  ],
  member: ['account.read', 'keys.read', 'keys.write', 'usage.read'],
  viewer: [
    'account.read',
    'billing.read',
    'keys.read',
    'keys.all',
    'usage.read',
    'usage.all',
    'members.read',
  ],
};

/**
 * The permissions of each user as an operator. Supporters answer customers: they see accounts,
 * usage and logs, and change nothing.
 */
export const OPERATOR_PERMISSIONS: Readonly<Record<UserRole, readonly OperatorPermission[]>> = {
  user: [],
  support: ['customers.read'],
  admin: ['customers.read', 'operate'],
};

/** The roles in which a request is made. */
export interface Standing {
  /** The role in the installation. */
  readonly role: UserRole;
  /** The role in the account that the request acts in. */
  readonly memberRole: MemberRole;
  /** The role that the access token is limited to; null without such a token. */
  readonly tokenRole: MemberRole | null;
}

/** True when these roles include the permission. A limited token has the permissions of both. */
export function permits(standing: Standing, permission: Permission): boolean {
  if (permission === 'self') return true;
  const { role, memberRole, tokenRole } = standing;
  if (permission === 'customers.read' || permission === 'operate') {
    return tokenRole === null && OPERATOR_PERMISSIONS[role].includes(permission);
  }
  const ofMember = MEMBER_PERMISSIONS[memberRole].includes(permission);
  return ofMember && (tokenRole === null || MEMBER_PERMISSIONS[tokenRole].includes(permission));
}
