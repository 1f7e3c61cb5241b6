import type { UserRole, UserView } from '@weir/shared/people/users';
import type { Database } from '../api/transaction.ts';

export interface UserRow {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly role: UserRole;
  readonly emailVerifiedAt: Date | null;
  /** No login before the address is confirmed. */
  readonly mustVerifyEmail: boolean;
  readonly disabledAt: Date | null;
  readonly secondFactor: boolean;
  readonly language: 'en' | 'zh-CN' | null;
  readonly theme: UserView['theme'];
  readonly createdAt: Date;
  readonly lastLoginAt: Date | null;
}

export const USER_COLUMNS = `
  u.id, u.account_id as "accountId", u.email, u.password_hash as "passwordHash", u.role,
  u.email_verified_at as "emailVerifiedAt", u.must_verify_email as "mustVerifyEmail", u.disabled_at as "disabledAt", u.language, u.theme,
  u.created_at as "createdAt", u.last_login_at as "lastLoginAt",
  exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as "secondFactor"`;

/** E-mail addresses are compared in lower case and without surrounding space. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  const { rows } = await db.query<UserRow>(
    `select ${USER_COLUMNS} from users u where u.email = $1`,
    [email],
  );
  return rows[0];
}

export async function findUser(
  db: Database,
  userId: string,
  options: { readonly lock: boolean } = { lock: false },
): Promise<UserRow | undefined> {
  const { rows } = await db.query<UserRow>(
    `select ${USER_COLUMNS} from users u where u.id = $1 ${options.lock ? 'for update' : ''}`,
    [userId],
  );
  return rows[0];
}

export function userView(row: UserRow): UserView {
  return {
    id: row.id,
    accountId: row.accountId,
    email: row.email,
    role: row.role,
    emailVerified: row.emailVerifiedAt !== null,
    secondFactor: row.secondFactor,
    disabled: row.disabledAt !== null,
    language: row.language,
    theme: row.theme,
    createdAt: row.createdAt.toISOString(),
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
  };
}
