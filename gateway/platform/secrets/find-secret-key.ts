import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type Config } from '../config/config.ts';

const FILE = 'secret.key';
const KEY_BYTES = 32;
const KEY_CHARACTERS_MIN = 32;

/**
 * SECRET_KEY, or the one that was generated into DATA_DIR at the first start: readable by the owner
 * alone. Only with the embedded database, whose lock on DATA_DIR makes sure that no other process
 * generates one at the same moment.
 */
export function findSecretKey(config: Pick<Config, 'secretKey' | 'dataDir'>): string {
  if (config.secretKey !== null) return config.secretKey;
  const path = join(config.dataDir, FILE);
  const known = readKey(path);
  if (known === undefined) {
    const generated = randomBytes(KEY_BYTES).toString('hex');
    writeFileSync(path, `${generated}\n`, { mode: 0o600, flag: 'wx', flush: true });
    return generated;
  }
  if (known.length >= KEY_CHARACTERS_MIN) return known;
  throw new ConfigError(
    `SECRET_KEY: ${path} does not hold the key that was generated there. Restore the file, or set SECRET_KEY to its former content; without it keys and stored credentials cannot be read.`,
  );
}

function readKey(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
