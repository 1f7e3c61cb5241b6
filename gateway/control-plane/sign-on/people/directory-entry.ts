import type { Database } from '../../api/transaction.ts';
import {
  directoryClaims,
  PERSON_COLUMNS,
  type DirectoryPerson,
} from '../../directories/people/directory-claims.ts';
import type { ProviderRow } from '../providers/provider-row.ts';
import { SignOnRefused } from '../sign-on-refused.ts';
import { mappedBy, type Claims, type Mapped } from './claims.ts';
import type { ConfirmedIdentity } from './confirmed-identity.ts';

const BY_ID = `
  select ${PERSON_COLUMNS} from directory_users u
  where u.provider_id = $1 and u.external_id = any ($2)`;
const BY_USER = `
  select ${PERSON_COLUMNS} from directory_users u where u.provider_id = $1 and u.user_id = $2`;

/**
 * The id of a person in the provider's directory. Entra's subject is another one in each
 * application, so a directory cannot send it.
 * Source: learn.microsoft.com/entra/identity-platform/id-token-claims-reference, "oid".
 */
export function objectIdOf({ preset }: ProviderRow, claims: Claims): string | null {
  const { oid } = claims;
  return preset === 'entra' && typeof oid === 'string' ? oid : null;
}

/** The person whom the directory has entered for an identity, by the provider's own id. */
export async function findEntry(
  db: Database,
  provider: ProviderRow,
  { subject, claims }: Pick<ConfirmedIdentity, 'subject' | 'claims'>,
): Promise<DirectoryPerson | undefined> {
  if (!provider.hasDirectory) return undefined;
  const objectId = objectIdOf(provider, claims);
  const ids = objectId === null ? [subject] : [objectId];
  return (await db.query<DirectoryPerson>(BY_ID, [provider.id, ids])).rows[0];
}

/**
 * The memberships that a directory leads a person to; undefined for one whom it has not entered.
 * Their memberships stay as they are, or the first sign-on after a directory was connected would
 * end them before it has sent anyone. Throws for a person whom it has removed.
 */
export async function mappedByDirectory(
  db: Database,
  provider: ProviderRow,
  userId: string,
): Promise<Mapped[] | undefined> {
  const [entry] = (await db.query<DirectoryPerson>(BY_USER, [provider.id, userId])).rows;
  if (entry === undefined) return undefined;
  if (!entry.active) throw new SignOnRefused('removed_from_directory');
  return mappedBy(provider.rules, await directoryClaims(db, entry));
}
