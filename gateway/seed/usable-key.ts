import type pg from 'pg';
import { keyDigests } from '../platform/secrets/api-key.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';

const USABLE = `
  select exists (
    select from keys where digest = any ($1) and status = 'active' and (expires_at is null or expires_at > now())
  ) as usable`;

/** Reports whether a key still works: it may have been deleted or replaced in the console. */
export async function isUsableKey(pool: pg.Pool, secrets: Secrets, key: string): Promise<boolean> {
  const { rows } = await pool.query<{ usable: boolean }>(USABLE, [keyDigests(secrets, key)]);
  return rows[0]?.usable === true;
}
