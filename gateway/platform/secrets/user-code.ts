import { createHmac, randomInt } from 'node:crypto';
import {
  USER_CODE_ALPHABET,
  USER_CODE_LETTERS,
  userCodeLetters,
} from '@weir/shared/people/user-code';
import type { Secrets } from './secrets.ts';

/** Makes a code that a person compares or types, as letters without a dash. */
export function newUserCode(): string {
  return Array.from({ length: USER_CODE_LETTERS }, () =>
    USER_CODE_ALPHABET.charAt(randomInt(USER_CODE_ALPHABET.length)),
  ).join('');
}

/**
 * The digest of a code as typed, null for what is none. A code has 34 bits, which a plain hash
 * would not hide: the HMAC's key is not in the database.
 */
export function userCodeDigest(secrets: Pick<Secrets, 'digestKeys'>, typed: string): Buffer | null {
  const letters = userCodeLetters(typed);
  if (letters === null) return null;
  return createHmac('sha256', secrets.digestKeys[0]).update(`user-code:${letters}`).digest();
}
