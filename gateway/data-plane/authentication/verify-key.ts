import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { keyDigests } from '../../platform/secrets/api-key.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { KeyRow } from './key-row.ts';

const KEY = readFileSync(new URL('./sql/key.sql', import.meta.url), 'utf8');

/**
 * Looks a key up by its digest; null when it is unknown. Runs on the worker pool: a flood of
 * unknown keys that could be ours queues there, and the event loops that serve known ones stay
 * free. The comparison is the index's, over an HMAC whose key an attacker does not have, so its
 * timing reveals nothing about stored keys.
 */
export async function verifyKey(
  pool: pg.Pool,
  secrets: Secrets,
  key: string,
): Promise<KeyRow | null> {
  const { rows } = await pool.query<KeyRow>({
    name: 'verify-key',
    text: KEY,
    values: [keyDigests(secrets, key)],
  });
  return rows[0] ?? null;
}
