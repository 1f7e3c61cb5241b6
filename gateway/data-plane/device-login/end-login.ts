import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { LoginRow } from './tokens.ts';

const END = [
  `update keys set status = 'deleted', updated_at = now() where id = $1 and status <> 'deleted'`,
  'delete from key_aliases where key_id = $1',
  'delete from device_login_tokens t using device_logins d where d.id = t.login_id and d.key_id = $1',
];

const AUDIT = `
  insert into audit_entries (by, address, request_id, action, subject_kind, subject_id, after, account_id)
  values ('link', $1, $2, 'endDeviceLogin', 'device_login', $3, $4, $5)`;

/** The reason why a login ended without a person in the console, in its audit entry. */
export type LoginEnd = 'signed_out' | 'device_code_used_twice' | 'refresh_token_used_twice';

/**
 * Ends a login: its tokens stop within a second, wherever they are. The key's row stays, because
 * records name it.
 */
export async function endLogin(
  db: pg.PoolClient,
  { id, keyId, accountId }: Pick<LoginRow, 'id' | 'keyId' | 'accountId'>,
  { reason, address }: { readonly reason: LoginEnd; readonly address: string },
): Promise<void> {
  for (const statement of END) await db.query(statement, [keyId]);
  await db.query(AUDIT, [address, randomUUID(), id, { reason, keyId }, accountId]);
}
