import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { keyDigests } from '../platform/secrets/api-key.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';

/**
 * The generated first key of an installation with the embedded database, in DATA_DIR/demo.key.
 *
 * A key is otherwise stored nowhere. This one is kept, so that the second `npm start` of somebody
 * who tries Weir shows a line that works, too. A process that can read the file can read
 * DATA_DIR/secret.key and the database next to it, which open as much; with DATABASE_URL nothing is
 * kept.
 */
const FILE = 'demo.key';

const KEY = /^sk-[0-9A-Za-z]+$/;

export function recallDemoKey(dataDir: string): string | null {
  try {
    const kept = readFileSync(join(dataDir, FILE), 'utf8').trim();
    return KEY.test(kept) ? kept : null;
  } catch {
    return null;
  }
}

/**
 * Keeps a generated key. Runs before the database has it: should the start be cut off in between,
 * the next one uses the key that is kept.
 */
export function keepDemoKey(dataDir: string, generated: string): string {
  const kept = recallDemoKey(dataDir);
  if (kept !== null) return kept;
  writeFileSync(join(dataDir, FILE), `${generated}\n`, { mode: 0o600 });
  return generated;
}

const USABLE = `
  select exists (
    select from keys where digest = any ($1) and status = 'active' and (expires_at is null or expires_at > now())
  ) as usable`;

/** Reports whether a key still works: it may have been deleted or replaced in the console. */
export async function isUsableKey(pool: pg.Pool, secrets: Secrets, key: string): Promise<boolean> {
  const { rows } = await pool.query<{ usable: boolean }>(USABLE, [keyDigests(secrets, key)]);
  return rows[0]?.usable === true;
}
