import type { UserRole } from '@weir/shared/people/users';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { Database } from '../api/transaction.ts';

interface NewUser {
  readonly email: string;
  readonly accountName: string;
  readonly passwordHash: string;
  readonly role: UserRole;
  readonly mustVerifyEmail: boolean;
  readonly language: 'en' | 'zh-CN' | null;
  /** Absent for a user whose account someone else creates. */
  readonly termsAccepted?: boolean;
  /** For registrations: the digest of the network, and whether the credit is withheld. */
  readonly registeredFrom?: Buffer;
  readonly withholdsCredit?: boolean;
}

const INSERT_ACCOUNT = 'insert into accounts (id, name) values ($1, $2)';
const INSERT_USER = `
  insert into users (id, account_id, email, password_hash, role, must_verify_email, language,
    terms_accepted_at, registered_from, registration_credit_withheld)
  values ($1, $2, $3, $4, $5, $6, $7, case when $8 then now() end, $9, $10)`;

/** Opens an account with its first user. Throws a unique violation when the address is taken. */
export async function createUser(
  db: Database,
  user: NewUser,
): Promise<{ readonly userId: string; readonly accountId: string }> {
  const now = Date.now();
  const accountId = newRequestId(now);
  const userId = newRequestId(now);
  await db.query(INSERT_ACCOUNT, [accountId, user.accountName]);
  await db.query(INSERT_USER, [
    userId,
    accountId,
    user.email,
    user.passwordHash,
    user.role,
    user.mustVerifyEmail,
    user.language,
    user.termsAccepted ?? false,
    user.registeredFrom ?? null,
    user.withholdsCredit ?? false,
  ]);
  return { userId, accountId };
}
