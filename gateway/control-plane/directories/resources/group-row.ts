import type { JsonObject } from '../../../platform/json/json-value.ts';
import { isJsonObject } from '../../../platform/json/json-value.ts';
import type { Database } from '../../api/transaction.ts';
import type { ResourceColumns } from '../scim/filter-sql.ts';
import { GROUP_KIND, GROUP_SCHEMA } from '../scim/schema.ts';
import { invalid } from '../scim/scim-error.ts';
import { isId } from './user-row.ts';

interface Member {
  /** The id of a user of the directory. */
  readonly value: string;
  readonly display: string;
}

export interface GroupRow {
  readonly id: string;
  readonly displayName: string;
  readonly externalId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Undefined if they were not read. */
  readonly members?: readonly Member[];
}

const MEMBERS = `directory_group_members m join directory_users p on p.id = m.directory_user_id
      where m.group_id = u.id`;

/** With the members, of whom there may be thousands, only if they are wanted. */
export const selectGroups = (withMembers: boolean): string => `
  select u.id, u.display_name as "displayName", u.external_id as "externalId",
    u.created_at as "createdAt", u.updated_at as "updatedAt"${
      withMembers
        ? `, coalesce((select jsonb_agg(jsonb_build_object('value', p.id, 'display', p.user_name) order by p.id)
      from ${MEMBERS}), '[]') as members`
        : ''
    }`;

export const FROM_GROUPS = 'from directory_groups u where u.provider_id = $1';

/** The attributes by which groups are found. */
export const GROUP_FILTER: ResourceColumns = {
  kind: GROUP_KIND,
  single: {
    id: 'u.id::text',
    externalId: 'u.external_id',
    displayName: 'u.display_name',
    'meta.created': 'u.created_at',
    'meta.lastModified': 'u.updated_at',
  },
  lists: {
    members: { from: `from ${MEMBERS}`, subs: { value: 'p.id::text', display: 'p.user_name' } },
  },
};

/** A group of the directory by its id. */
export async function findDirectoryGroup(
  db: Database,
  scope: { readonly providerId: string; readonly id: string; readonly withMembers: boolean },
): Promise<GroupRow | undefined> {
  const { providerId, id, withMembers } = scope;
  if (!isId(id)) return undefined;
  const sql = `${selectGroups(withMembers)} ${FROM_GROUPS} and u.id = $2`;
  return (await db.query<GroupRow>(sql, [providerId, id])).rows[0];
}

/** A group as a client writes it. */
export interface WrittenGroup {
  readonly displayName: string;
  readonly externalId: string | null;
  /** Ids of users of the directory. */
  readonly members: readonly string[];
}

function memberOf({ value, type }: JsonObject): string {
  if (String(type).toLowerCase() === 'group') {
    throw invalid('invalidValue', 'Groups in groups are not supported; add their users.');
  }
  return String(value).toLowerCase();
}

/** Reads a resource as `readResource` or `applyPatch` returns it. */
export function splitGroup({ displayName, externalId, members }: JsonObject): WrittenGroup {
  if (typeof displayName !== 'string') {
    throw invalid('invalidValue', 'A group has a "displayName".');
  }
  const sent: unknown[] = Array.isArray(members) ? members : [];
  return {
    displayName,
    externalId: typeof externalId === 'string' ? externalId : null,
    members: [...new Set(sent.filter(isJsonObject).map(memberOf))],
  };
}

/** The part of a group that clients write. */
export function writtenGroup({ displayName, externalId, members = [] }: GroupRow): JsonObject {
  return {
    displayName,
    ...(externalId === null ? {} : { externalId }),
    ...(members.length === 0 ? {} : { members }),
  };
}

/** A group as it is read back. */
export function groupResource(row: GroupRow, root: string): JsonObject {
  const { id, displayName, externalId, members, createdAt, updatedAt } = row;
  return {
    schemas: [GROUP_SCHEMA.id],
    id,
    displayName,
    ...(externalId === null ? {} : { externalId }),
    ...(members === undefined
      ? {}
      : {
          members: members.map((member) => ({
            ...member,
            type: 'User',
            $ref: `${root}/Users/${member.value}`,
          })),
        }),
    meta: {
      resourceType: 'Group',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${root}/Groups/${id}`,
    },
  };
}
