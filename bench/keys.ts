import { randomBytes } from 'node:crypto';
import { generateKey } from '../gateway/platform/secrets/api-key.ts';
import { deriveSecrets, type Secrets } from '../gateway/platform/secrets/secrets.ts';

const SECRET_KEY_BYTES = 32;

/** Well-formed keys that belong to nobody, all different: what guessing looks like. */
export function unknownKeys(count: number): string[] {
  return manyKeys(deriveSecrets(randomBytes(SECRET_KEY_BYTES).toString('hex')), count);
}

function manyKeys(secrets: Secrets, count: number): string[] {
  return Array.from({ length: count }, () => generateKey(secrets).key);
}

/** The keys of the seeded accounts. */
export interface SeededKeys {
  /** The gateway's SECRET_KEY, which the keys are made for. */
  readonly secretKey: string;
  /** One account that has everything. */
  readonly hot: string;
  /** One key each of many accounts that have everything. */
  readonly many: readonly string[];
  /** An account without a balance. */
  readonly poor: string;
  /** A key with a limit of one request per minute. */
  readonly limited: string;
}

export function newKeys(accounts: number): SeededKeys {
  const secretKey = randomBytes(SECRET_KEY_BYTES).toString('hex');
  const keys = manyKeys(deriveSecrets(secretKey), 3 + accounts);
  const [hot = '', poor = '', limited = '', ...many] = keys;
  return { secretKey, hot, many, poor, limited };
}
