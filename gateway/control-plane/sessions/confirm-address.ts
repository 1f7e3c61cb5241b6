import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Database } from '../api/transaction.ts';
import type { AdminContext } from '../api/context.ts';
import { giveRegistrationCredit } from '../registrations/registration-credit.ts';
import { readSettings } from '../settings/read-settings.ts';

const FIND = `
  select account_id as "accountId", must_verify_email and email_verified_at is null as "isPending"
  from users where id = $1 and disabled_at is null for update`;

const CONFIRM = `
  update users set email_verified_at = now(), updated_at = now()
  where id = $1 and email_verified_at is null`;

interface FoundRow {
  readonly accountId: string;
  /** Registered while confirmation was demanded, and not confirmed yet. */
  readonly isPending: boolean;
}

/**
 * Marks an address as confirmed, in the transaction that used the link up, and gives the credit
 * that waited for it. Refuses for a disabled user. The caller pushes the account's credits after
 * the commit.
 */
export async function confirmAddress(
  db: Database,
  context: AdminContext,
  userId: string,
): Promise<{ readonly accountId: string } | Refusal> {
  const { rows } = await db.query<FoundRow>(FIND, [userId]);
  const [user] = rows;
  if (user === undefined) return refuse('link_invalid');
  await db.query(CONFIRM, [userId]);
  if (user.isPending) {
    await giveRegistrationCredit(db, context, { settings: await readSettings(db), userId });
  }
  return { accountId: user.accountId };
}
