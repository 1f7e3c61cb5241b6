import type { AdminContext } from '../../api/context.ts';
import type { Database } from '../../api/transaction.ts';
import { confirmAddress } from '../../sessions/confirm-address.ts';
import { takeAddress } from '../../sign-on/people/take-address.ts';
import { isTrustedFor } from '../../sign-on/only-sign-on.ts';
import type { ProviderRow } from '../../sign-on/providers/provider-row.ts';
import { createUser } from '../../users/create-user.ts';
import { NO_PASSWORD } from '../../users/password-hash.ts';
import { findUser, findUserByEmail, type UserRow } from '../../users/user-row.ts';
import { invalid, ScimError } from '../scim/scim-error.ts';
import type { DirectoryCall } from './apply-directory.ts';
import type { DirectoryPerson } from './directory-claims.ts';
import { loginAddress } from './login-address.ts';

/** A person who has signed on by the provider: its subject, or the id in its directory. */
const BY_IDENTITY = `
  select user_id as "userId" from identities
  where (issuer = $1 or provider_id = $2) and (subject = $3 or object_id = $3)
  order by created_at limit 1`;

const MADE_BY = 'select 1 from users where id = $1 and directory_id = $2';
const SET_MADE_BY = 'update users set directory_id = $2 where id = $1';

type Entered = Pick<DirectoryPerson, 'userName' | 'externalId' | 'attributes'>;

interface Finding {
  readonly provider: ProviderRow;
  readonly person: Entered;
  readonly call: DirectoryCall;
}

function taken(email: string): ScimError {
  return new ScimError(
    409,
    `The address ${email} belongs to a login that this directory may not take. The operator lists its domain for the provider, or the person logs in and links the provider under Account, Security.`,
    { scimType: 'uniqueness' },
  );
}

/** The address of a person, who gets no login without one. */
export function requireAddress(person: Entered): string {
  const email = loginAddress(person);
  if (email !== undefined) return email;
  throw invalid('invalidValue', 'Neither "emails" nor "userName" has an e-mail address.');
}

async function locked(db: Database, userId: string): Promise<UserRow> {
  const user = await findUser(db, userId, { lock: true });
  if (user === undefined) throw new Error('the user of a directory is gone');
  if (user.disabledAt !== null) {
    throw new ScimError(409, 'The login of this person is disabled. The operator can enable it.');
  }
  return user;
}

/**
 * A login with the address is the person's only if the operator trusts the provider for the domain,
 * or the directory made it. Operators are never linked so, because the provider's administrators
 * would control this installation.
 */
async function takeKnown(
  db: Database,
  context: AdminContext,
  { finding, known }: { readonly finding: Finding; readonly known: UserRow },
): Promise<string> {
  const { provider, call } = finding;
  if (known.role !== 'user') throw taken(known.email);
  const user = await locked(db, known.id);
  if (isTrustedFor(provider, user.email)) await takeAddress(db, context, { user, call });
  else if ((await db.query(MADE_BY, [user.id, provider.id])).rowCount === 0)
    throw taken(user.email);
  return user.id;
}

async function makeLogin(
  db: Database,
  context: AdminContext,
  { provider, email }: { readonly provider: ProviderRow; readonly email: string },
): Promise<string> {
  const { userId } = await createUser(db, {
    email,
    accountName: email,
    passwordHash: NO_PASSWORD,
    role: 'user',
    mustVerifyEmail: false,
    language: null,
    withholdsCredit: true,
  });
  await db.query(SET_MADE_BY, [userId, provider.id]);
  if (isTrustedFor(provider, email)) await confirmAddress(db, context, userId);
  return userId;
}

/**
 * Finds or makes the login of a person whom a directory enters, and locks it. The provider's own id
 * of the person decides; an address leads to a login under the terms of `takeKnown`. Throws a
 * unique violation when the address is registered at the same moment.
 */
export async function findLogin(
  db: Database,
  context: AdminContext,
  finding: Finding,
): Promise<string> {
  const { provider, person } = finding;
  const email = requireAddress(person);
  if (person.externalId !== null) {
    const values = [provider.issuer, provider.id, person.externalId];
    const [found] = (await db.query<{ userId: string }>(BY_IDENTITY, values)).rows;
    if (found !== undefined) return (await locked(db, found.userId)).id;
  }
  const known = await findUserByEmail(db, email);
  if (known !== undefined) return takeKnown(db, context, { finding, known });
  return makeLogin(db, context, { provider, email });
}
