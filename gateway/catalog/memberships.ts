import type { GroupEntry } from './snapshot.ts';

/** A group that an account was given. */
export interface Membership {
  readonly groupId: string;
  /** What the account pays instead of the group's multiplier; null: the group's. */
  readonly multiplierPpm: number | null;
}

/** What decides which groups an account may use, and what it pays there. */
export type Memberships = ReadonlyMap<string, Membership>;

/** Whether an account may use a group. */
export function mayUse(memberships: Memberships, { id, isPublic }: GroupEntry): boolean {
  return isPublic || memberships.has(id);
}
