import type { Database } from '../../api/transaction.ts';
import { isUnproven } from '../../sessions/first-email-verification.ts';
import { isTrustedFor } from '../../sign-on/only-sign-on.ts';
import type { ProviderRow } from '../../sign-on/providers/provider-row.ts';
import { setEmail } from '../../users/set-email.ts';
import { findUser } from '../../users/user-row.ts';

const MADE_BY = 'select 1 from users where id = $1 and directory_id = $2';

/**
 * Gives a login the person's new address. Only where the provider could log in as the person
 * anyway: it has authority for both addresses, or its directory made the login and no one has
 * proven the address. Anywhere else the directory could send the link for a new password to itself.
 * Throws a unique violation when another login has the address. The user is locked.
 */
export async function renameLogin(
  db: Database,
  provider: ProviderRow,
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<void> {
  const user = await findUser(db, userId);
  if (user?.role !== 'user' || user.email === email) return;
  const hasAuthority = isTrustedFor(provider, user.email) && isTrustedFor(provider, email);
  const isOwn = isUnproven(user) && (await db.query(MADE_BY, [userId, provider.id])).rowCount !== 0;
  if (hasAuthority || isOwn) await setEmail(db, user, email);
}
