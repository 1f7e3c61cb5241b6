import { createHmac, randomBytes } from 'node:crypto';
import { generateKey } from '../gateway/secrets/api-key.ts';

/** "sk-" and 43 letters, as generated keys have, made from a number so that no list has to be kept. */
export function keyNumber(seed: Buffer, index: number): string {
  const digest = createHmac('sha256', seed).update(String(index)).digest('hex');
  return `sk-${digest.slice(0, 43)}`;
}

/** Well-formed keys that belong to nobody, all different: what guessing looks like. */
export function unknownKeys(count: number): string[] {
  const seed = randomBytes(16);
  return Array.from({ length: count }, (_, index) => keyNumber(seed, index));
}

/** The keys of the seeded accounts. */
export interface SeededKeys {
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
  const seed = randomBytes(16);
  return {
    hot: generateKey().key,
    many: Array.from({ length: accounts }, (_, index) => keyNumber(seed, index)),
    poor: generateKey().key,
    limited: generateKey().key,
  };
}
