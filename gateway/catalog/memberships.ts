import type { GroupEntry } from './snapshot.ts';

/** A group that an account was given. */
export interface Membership {
  readonly groupId: string;
  /** Replaces the group's multiplier for this account; null: the group's applies. */
  readonly multiplierPpm: number | null;
}

/** The groups that an account may use, and its multipliers there. */
export type Memberships = ReadonlyMap<string, Membership>;

/** Reports whether an account may use a group. */
export function mayUse(memberships: Memberships, { id, isPublic }: GroupEntry): boolean {
  return isPublic || memberships.has(id);
}
