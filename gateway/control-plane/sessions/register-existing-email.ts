import type { AdminContext } from '../api/context.ts';
import { inTransaction } from '../api/transaction.ts';
import type { Settings } from '../settings/read-settings.ts';
import { NO_PASSWORD, verifyPassword } from '../users/password-hash.ts';
import type { UserRow } from '../users/user-row.ts';
import { CHOOSE_HOURS, makeLink, makeLinkUnlessYoung } from './link-token.ts';
import { sendLink } from './send-link.ts';

/**
 * Before the user's row, in the order in which following a link locks them: the two cannot block
 * each other.
 */
const END_LINKS = 'delete from link_tokens where user_id = $1';

const DROP_PASSWORD = `
  update users set password_hash = $2, updated_at = now()
  where id = $1 and must_verify_email and email_verified_at is null`;

/**
 * Sends an unconfirmed user the link that confirms the address: with a password to choose where
 * none counts.
 */
export async function sendConfirmation(
  context: AdminContext,
  settings: Settings,
  user: UserRow,
): Promise<void> {
  const { pool, consoleUrl } = context;
  if (user.passwordHash === NO_PASSWORD) {
    const chosen = { userId: user.id, purpose: 'reset_password', hours: CHOOSE_HOURS } as const;
    const link = await makeLinkUnlessYoung(pool, { ...chosen, consoleUrl });
    if (link !== undefined) sendLink(context, settings, { kind: 'choose', user, link });
    return;
  }
  const link = await makeLink(pool, { userId: user.id, purpose: 'verify_email', consoleUrl });
  sendLink(context, settings, { kind: 'verify', user, link });
}

async function sendKnown(context: AdminContext, settings: Settings, user: UserRow): Promise<void> {
  const { pool, consoleUrl } = context;
  const known = { userId: user.id, purpose: 'reset_password' } as const;
  const link = await makeLinkUnlessYoung(pool, { ...known, consoleUrl });
  if (link !== undefined) sendLink(context, settings, { kind: 'known', user, link });
}

/**
 * Ends the links and the password of an address that was not confirmed; false when it was in the
 * meantime.
 */
async function dropPassword(context: AdminContext, userId: string): Promise<boolean> {
  const dropped = await inTransaction(context.pool, async (client) => {
    await client.query(END_LINKS, [userId]);
    const { rowCount } = await client.query(DROP_PASSWORD, [userId, NO_PASSWORD]);
    return { isPending: rowCount !== 0 };
  });
  return 'isPending' in dropped && dropped.isPending;
}

/**
 * The address is known. Its owner gets a mail that says so; the requester learns nothing.
 *
 * An address that was never confirmed may have been registered by anyone, first or last. Were
 * either password to win, a stranger could have theirs confirmed by the owner's click. So a second
 * registration with another password takes every password and link away, and the mail lets its
 * reader choose one. The same password again is the same person, who lost the link.
 */
export async function registerExistingEmail(
  context: AdminContext,
  settings: Settings,
  options: { readonly user: UserRow; readonly password: string },
): Promise<void> {
  const { user, password } = options;
  // Too busy to compare counts as another password: a refusal would tell that the address is known.
  const isSame = async () => (await verifyPassword(user.passwordHash, password)) === true;
  if (!user.mustVerifyEmail || user.emailVerifiedAt !== null) {
    await sendKnown(context, settings, user);
  } else if (await isSame()) {
    await sendConfirmation(context, settings, user);
  } else if (user.passwordHash === NO_PASSWORD || (await dropPassword(context, user.id))) {
    await sendConfirmation(context, settings, { ...user, passwordHash: NO_PASSWORD });
  } else {
    await sendKnown(context, settings, user);
  }
}
