import type { Database } from '../api/transaction.ts';
import type { UserRow } from './user-row.ts';

const SET_EMAIL = 'update users set email = $2, updated_at = now() where id = $1';
/** They were sent to the former address. */
const END_LINKS = 'delete from link_tokens where user_id = $1';
const REDIRECT_NOTICES = `
  update deliveries set address = $3
  where account_id in (select account_id from members where user_id = $1) and address = $2
    and status = 'pending'`;

/** Gives a login another address. Throws a unique violation when it is taken. */
export async function setEmail(
  db: Database,
  user: Pick<UserRow, 'id' | 'email'>,
  email: string,
): Promise<void> {
  await db.query(SET_EMAIL, [user.id, email]);
  await db.query(END_LINKS, [user.id]);
  await db.query(REDIRECT_NOTICES, [user.id, user.email, email]);
}
