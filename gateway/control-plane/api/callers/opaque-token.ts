import { randomInt } from 'node:crypto';
import { digestOf, newToken } from '../../../platform/secrets/opaque-token.ts';

export { digestOf, newToken };

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
