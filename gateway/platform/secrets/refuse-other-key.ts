import type pg from 'pg';
import { ConfigError } from '../config/config.ts';
import type { Secrets } from './secrets.ts';

const ADOPT = 'update settings set secret_key_id = $1 where secret_key_id is null';
const READ = 'select secret_key_id as "keyId" from settings';
const RENEW = 'update settings set secret_key_id = $1 where secret_key_id is distinct from $1';

/**
 * Throws a ConfigError when this database was filled under another SECRET_KEY: every API key would
 * be refused, and no stored credential could be read. A database without a digest of its key is
 * taken to be filled under the one in force.
 */
export async function refuseOtherKey(pool: pg.Pool, secrets: Secrets): Promise<void> {
  await pool.query(ADOPT, [secrets.seals[0]?.id]);
  const { rows } = await pool.query<{ keyId: string }>(READ);
  if (secrets.seals.some(({ id }) => id === rows[0]?.keyId)) return;
  throw new ConfigError(
    'SECRET_KEY: is not the one under which this database was filled, nor is SECRET_KEY_PREVIOUS: every API key would be refused. ' +
      'Set SECRET_KEY to that one (without DATABASE_URL it stood in secret.key in DATA_DIR), or keep the new one and set SECRET_KEY_PREVIOUS to it. ' +
      'If it is lost, keys and stored credentials are lost with it; to go on without them: update settings set secret_key_id = null',
  );
}

/**
 * Once everything is sealed under the SECRET_KEY in force, it is the one without which nothing
 * starts.
 */
export async function keepKeyId(pool: pg.Pool, secrets: Secrets): Promise<void> {
  await pool.query(RENEW, [secrets.seals[0]?.id]);
}
