import { newRequestId } from '../../../platform/ids/request-id.ts';
import type { AdminContext } from '../../api/context.ts';
import { lockRow, type Database } from '../../api/transaction.ts';
import { audit, type Actor, type AuditedCall } from '../../audit/audit-log.ts';
import { findUser, findUserByEmail, type UserRow } from '../../users/user-row.ts';
import type { Mapped } from './claims.ts';
import type { ConfirmedIdentity } from './confirmed-identity.ts';
import type { Flow } from '../flows.ts';
import { isTrustedFor } from '../only-sign-on.ts';
import type { ProviderRow } from '../providers/provider-row.ts';
import { SignOnRefused } from '../sign-on-refused.ts';
import { findEntry, objectIdOf } from './directory-entry.ts';
import { signUp } from './sign-up.ts';
import { takeAddress } from './take-address.ts';

const FIND = `
  select id, user_id as "userId" from identities where issuer = $1 and subject = $2`;

const INSERT = `
  insert into identities (id, issuer, subject, user_id, provider_id, email, object_id, last_used_at)
  values ($1, $2, $3, $4, $5, $6, $7, now())`;

const SEE = `
  update identities set provider_id = $2, email = $3, object_id = $4, last_used_at = now() where id = $1`;

export interface SigningOn {
  readonly provider: ProviderRow;
  readonly identity: ConfirmedIdentity;
  readonly flow: Flow;
  readonly mapped: readonly Mapped[];
  readonly call: Omit<AuditedCall, 'caller'>;
}

interface Person {
  readonly user: UserRow;
  readonly identityId: string;
  /** The login was made just now. */
  readonly isNew: boolean;
}

/** The person as an actor in the audit log. */
export function signedOnActor(user: UserRow, provider: ProviderRow): Actor {
  const { id: userId, accountId, email, role } = user;
  const without = { sessionId: null, accessToken: null };
  return { userId, accountId, email, role, ...without, provider: provider.name };
}

async function userOf(db: Database, userId: string): Promise<UserRow> {
  const user = await findUser(db, userId, { lock: true });
  if (user === undefined) throw new Error('the user of an identity is gone');
  return user;
}

/** Links the identity to a login, from now on. */
async function link(
  db: Database,
  { provider, identity, call }: SigningOn,
  user: UserRow,
): Promise<string> {
  const { issuer, subject, email } = identity;
  const id = newRequestId(Date.now());
  const objectId = objectIdOf(provider, identity.claims);
  await db.query(INSERT, [id, issuer, subject, user.id, provider.id, email ?? null, objectId]);
  const after = { issuer, subject, email, userId: user.id };
  const change = { kind: 'identity', id, before: null, after };
  await audit(db, { ...call, caller: signedOnActor(user, provider) }, change);
  return id;
}

/** Links an identity to the login of the person who asked for it. */
async function linkAsked(db: Database, signingOn: SigningOn, userId: string): Promise<Person> {
  const user = await userOf(db, userId);
  return { user, identityId: await link(db, signingOn, user), isNew: false };
}

/**
 * A login with the same address is the same person only if the provider confirms the address and
 * the operator trusts it for the domain. Operators are never linked so, because the
 * administrators of the provider would control this installation.
 */
async function linkByAddress(
  db: Database,
  context: AdminContext,
  { signingOn, known }: { readonly signingOn: SigningOn; readonly known: UserRow },
): Promise<Person> {
  const { provider, identity, call } = signingOn;
  if (!identity.emailVerified) throw new SignOnRefused('address_unverified');
  const isTrusted = isTrustedFor(provider, known.email) && known.role === 'user';
  if (!isTrusted) throw new SignOnRefused('address_taken');
  const user = await userOf(db, known.id);
  if (user.disabledAt !== null) throw new SignOnRefused('user_disabled');
  await takeAddress(db, context, { user, call });
  const proven = await userOf(db, user.id);
  return { user: proven, identityId: await link(db, signingOn, proven), isNew: false };
}

async function makePerson(
  db: Database,
  context: AdminContext,
  signingOn: SigningOn,
): Promise<Person> {
  const { mapped, call } = signingOn;
  const isMapped = mapped.length > 0;
  const userId = await signUp(db, context, { ...signingOn, isMapped, address: call.address });
  const user = await userOf(db, userId);
  return { user, identityId: await link(db, signingOn, user), isNew: true };
}

/** Finds the login of an identity that is linked already. */
async function knownPerson(
  db: Database,
  { provider, identity, flow }: SigningOn,
  found: { readonly id: string; readonly userId: string },
): Promise<Person> {
  if (flow.userId !== null && flow.userId !== found.userId) {
    throw new SignOnRefused('linked_elsewhere');
  }
  const user = await userOf(db, found.userId);
  const objectId = objectIdOf(provider, identity.claims);
  await db.query(SEE, [found.id, provider.id, identity.email ?? null, objectId]);
  return { user, identityId: found.id, isNew: false };
}

/**
 * Links an identity to the login of the person whom the provider's directory has entered with the
 * same id.
 */
async function linkEntered(db: Database, signingOn: SigningOn, userId: string): Promise<Person> {
  const { flow } = signingOn;
  if (flow.userId !== null && flow.userId !== userId) throw new SignOnRefused('linked_elsewhere');
  const user = await userOf(db, userId);
  // Operators link their identities themselves, as with an address.
  if (user.role !== 'user' && flow.userId === null) throw new SignOnRefused('address_taken');
  if (user.disabledAt !== null) throw new SignOnRefused('user_disabled');
  return { user, identityId: await link(db, signingOn, user), isNew: false };
}

/**
 * Finds or makes the login of an identity. Issuer and subject identify the person; the address only
 * leads to a login under the terms of `linkByAddress`. The user's row is locked afterwards.
 */
export async function findPerson(
  db: Database,
  context: AdminContext,
  signingOn: SigningOn,
): Promise<Person> {
  const { identity, flow } = signingOn;
  const { issuer, subject, email } = identity;
  // The user who links is locked first: two links at once come one after the other.
  if (flow.userId !== null) await lockRow(db, 'users', flow.userId);
  const { rows } = await db.query<{ id: string; userId: string }>(FIND, [issuer, subject]);
  const [found] = rows;
  if (found !== undefined) return knownPerson(db, signingOn, found);
  const entry = await findEntry(db, signingOn.provider, identity);
  if (entry !== undefined) return linkEntered(db, signingOn, entry.userId);
  if (flow.userId !== null) return linkAsked(db, signingOn, flow.userId);
  const known = email === undefined ? undefined : await findUserByEmail(db, email);
  if (known !== undefined) return linkByAddress(db, context, { signingOn, known });
  return makePerson(db, context, signingOn);
}
