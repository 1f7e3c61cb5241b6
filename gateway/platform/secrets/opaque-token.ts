import { createHash, randomBytes } from 'node:crypto';

/**
 * Secrets that a person or program carries: sessions, tokens, links, codes. They have so many
 * random bits that a plain SHA-256 cannot be turned back, and are found by its index.
 */
const TOKEN_BYTES = 32;

export function newToken(prefix = ''): string {
  return prefix + randomBytes(TOKEN_BYTES).toString('base64url');
}

export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}
