import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import type { Database } from '../../api/transaction.ts';
import type { Claims } from '../../sign-on/people/claims.ts';
import { ENTERPRISE_SCHEMA } from '../scim/schema.ts';
import { loginAddress } from './login-address.ts';

const GROUPS = `
  select g.display_name as name, g.external_id as "externalId"
  from directory_group_members m join directory_groups g on g.id = m.group_id
  where m.directory_user_id = $1`;

/** A person as a directory has sent them. */
export interface DirectoryPerson {
  readonly id: string;
  readonly userId: string;
  readonly providerId: string;
  readonly userName: string;
  readonly externalId: string | null;
  readonly active: boolean;
  readonly attributes: JsonObject;
}

/** Columns of `directory_users u`. */
export const PERSON_COLUMNS = `
  u.id, u.user_id as "userId", u.provider_id as "providerId", u.user_name as "userName",
  u.external_id as "externalId", u.active, u.attributes`;

/** Entra sends an app role as JSON, in which its value is what a rule names. */
function roleOf(value: string): string {
  if (!value.startsWith('{')) return value;
  try {
    const role: unknown = JSON.parse(value);
    return isJsonObject(role) && typeof role['value'] === 'string' ? role['value'] : value;
  } catch {
    return value;
  }
}

function rolesOf({ roles }: JsonObject): string[] {
  const list: unknown[] = Array.isArray(roles) ? roles : [];
  return list.filter(isJsonObject).map(({ value }) => roleOf(String(value)));
}

/**
 * A person of a directory as claims, so that the rules of a provider are the same for both. A group
 * is matched by its name and by its id at the provider, which is what Entra's tokens have.
 */
export async function directoryClaims(db: Database, person: DirectoryPerson): Promise<Claims> {
  const { rows } = await db.query<{ name: string; externalId: string | null }>(GROUPS, [person.id]);
  const { name, displayName, title, userType, [ENTERPRISE_SCHEMA.id]: work } = person.attributes;
  return {
    ...(isJsonObject(work) ? work : {}),
    sub: person.externalId ?? person.userName,
    preferred_username: person.userName,
    email: loginAddress(person),
    name: displayName ?? (isJsonObject(name) ? name['formatted'] : undefined),
    title,
    userType,
    groups: rows.flatMap((group) => [group.name, group.externalId ?? []]).flat(),
    roles: rolesOf(person.attributes),
  };
}
