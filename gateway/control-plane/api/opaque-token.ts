import { createHash, randomBytes, randomInt } from 'node:crypto';

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

/** Crockford's base 32: no I, L, O, U, so that nothing is misread. */
const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_GROUP_LETTERS = 5;

/** A code to be typed, in groups: 4 groups carry 100 bits. */
export function newCode(groups: number): string {
  return Array.from({ length: groups }, () =>
    Array.from({ length: CODE_GROUP_LETTERS }, () =>
      CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length)),
    ).join(''),
  ).join('-');
}

/**
 * A code as typed, made comparable: any case, with or without dashes and spaces, O for 0, I or L
 * for 1.
 */
export function digestOfCode(typed: string): Buffer {
  const bare = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return digestOf(`code:${bare}`);
}
