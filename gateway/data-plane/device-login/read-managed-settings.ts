import type pg from 'pg';
import type { ManagedSettings } from '../../protocols/tool-replies.ts';

const FIND = `
  select id, checksum, settings as "settingsJson" from managed_settings where account_id = $1`;

/** Reads what an account sets for its members' tools; null for nothing. */
export async function readManagedSettings(
  pool: pg.Pool,
  accountId: string,
): Promise<ManagedSettings | null> {
  return (await pool.query<ManagedSettings>(FIND, [accountId])).rows[0] ?? null;
}
