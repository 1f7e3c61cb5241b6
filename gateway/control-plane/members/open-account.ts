import { newRequestId } from '../../platform/ids/request-id.ts';
import type { Database } from '../api/transaction.ts';

const OPEN = 'insert into accounts (id, name) values ($1, $2)';
const OWN = `insert into members (account_id, user_id, role) values ($1, $2, 'owner')`;

/** Opens an account that a person who has a login owns. Returns its id. */
export async function openAccount(
  db: Database,
  { userId, name }: { readonly userId: string; readonly name: string },
): Promise<string> {
  const accountId = newRequestId(Date.now());
  await db.query(OPEN, [accountId, name]);
  await db.query(OWN, [accountId, userId]);
  return accountId;
}
