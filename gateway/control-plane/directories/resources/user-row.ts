import { readResource } from '../scim/read-resource.ts';
import type { ResourceColumns } from '../scim/filter-sql.ts';
import { ENTERPRISE_SCHEMA, USER_KIND, USER_SCHEMA } from '../scim/schema.ts';
import { invalid } from '../scim/scim-error.ts';
import type { Database } from '../../api/transaction.ts';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import { PERSON_COLUMNS, type DirectoryPerson } from '../people/directory-claims.ts';

export interface UserRow extends DirectoryPerson {
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly groups: readonly { readonly value: string; readonly display: string }[];
}

const GROUPS = `directory_group_members m join directory_groups g on g.id = m.group_id
      where m.directory_user_id = u.id`;

export const SELECT_USERS = `
  select ${PERSON_COLUMNS}, u.created_at as "createdAt", u.updated_at as "updatedAt",
    coalesce((select jsonb_agg(jsonb_build_object('value', g.id, 'display', g.display_name) order by g.id)
      from ${GROUPS}), '[]') as groups`;

export const FROM_USERS = 'from directory_users u where u.provider_id = $1';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Ids are UUIDs; any other text names nothing. */
export const isId = (text: string): boolean => UUID.test(text);

const attribute = (...names: string[]): string => `u.attributes #>> '{${names.join(',')}}'`;

const typedList = (name: string) => ({
  from: `from jsonb_array_elements(u.attributes -> '${name}') e where true`,
  subs: {
    value: `e ->> 'value'`,
    type: `e ->> 'type'`,
    display: `e ->> 'display'`,
    primary: `(e ->> 'primary')::boolean`,
  },
});

/** The attributes by which people are found. */
export const USER_FILTER: ResourceColumns = {
  kind: USER_KIND,
  single: {
    id: 'u.id::text',
    externalId: 'u.external_id',
    userName: 'u.user_name',
    active: 'u.active',
    'meta.created': 'u.created_at',
    'meta.lastModified': 'u.updated_at',
    ...Object.fromEntries(
      ['displayName', 'title', 'userType'].map((name) => [name, attribute(name)]),
    ),
    ...Object.fromEntries(
      ['formatted', 'familyName', 'givenName'].map((name) => [
        `name.${name}`,
        attribute('name', name),
      ]),
    ),
    ...Object.fromEntries(
      ENTERPRISE_SCHEMA.attributes.map(({ name }) => [
        `${ENTERPRISE_SCHEMA.id}.${name}`,
        attribute(ENTERPRISE_SCHEMA.id, name),
      ]),
    ),
  },
  lists: {
    emails: typedList('emails'),
    roles: typedList('roles'),
    groups: { from: `from ${GROUPS}`, subs: { value: 'g.id::text', display: 'g.display_name' } },
  },
};

/** A person of the directory by their id. */
export async function findDirectoryUser(
  db: Database,
  { providerId, id }: { readonly providerId: string; readonly id: string },
): Promise<UserRow | undefined> {
  if (!isId(id)) return undefined;
  const { rows } = await db.query<UserRow>(`${SELECT_USERS} ${FROM_USERS} and u.id = $2`, [
    providerId,
    id,
  ]);
  return rows[0];
}

/** A person as a client writes them. */
export interface WrittenUser {
  readonly userName: string;
  readonly externalId: string | null;
  readonly active: boolean;
  readonly attributes: JsonObject;
}

/**
 * Splits a resource into what has columns of its own and the rest. `active` stays as it is if it is
 * left out: a client that does not know it must not bring anyone back.
 */
export function splitUser(resource: JsonObject, wasActive: boolean): WrittenUser {
  const { userName, externalId, active, ...attributes } = resource;
  if (typeof userName !== 'string') throw invalid('invalidValue', 'A user has a "userName".');
  return {
    userName,
    externalId: typeof externalId === 'string' ? externalId : null,
    active: typeof active === 'boolean' ? active : wasActive,
    attributes,
  };
}

/** A user as a client has sent it. Throws for one without a user name. */
export function readUser(body: unknown, wasActive: boolean): WrittenUser {
  return splitUser(readResource(USER_KIND, body), wasActive);
}

/** The part of a user that clients write. */
export function writtenOf({ userName, externalId, active, attributes }: WrittenUser): JsonObject {
  return {
    ...attributes,
    userName,
    active,
    ...(externalId === null ? {} : { externalId }),
  };
}

/** A user as it is read back. */
export function userResource(row: UserRow, root: string): JsonObject {
  const isExtended = row.attributes[ENTERPRISE_SCHEMA.id] !== undefined;
  return {
    schemas: [USER_SCHEMA.id, ...(isExtended ? [ENTERPRISE_SCHEMA.id] : [])],
    id: row.id,
    ...writtenOf(row),
    ...(row.groups.length === 0 ? {} : { groups: row.groups }),
    meta: {
      resourceType: 'User',
      created: row.createdAt.toISOString(),
      lastModified: row.updatedAt.toISOString(),
      location: `${root}/Users/${row.id}`,
    },
  };
}
