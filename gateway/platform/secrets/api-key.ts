import { createHmac, hash, randomInt } from 'node:crypto';
import { KEY_LETTERS_MAX, KEY_LETTERS_MIN, keyPrefix } from '@weir/shared/people/key-text';
import type { Secrets } from './secrets.ts';

export { KEY_LETTERS_MAX, KEY_LETTERS_MIN, keyPrefix };

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 37 of 62 letters carry 220 bits; DESIGN asks for at least 160. */
const RANDOM_LETTERS = 37;
/** One guess in 5 * 10^10 has the right ones, and is then looked up like any other key. */
const CHECK_LETTERS = 6;
const CHECK_NUMBERS = ALPHABET.length ** CHECK_LETTERS;
/** The value of each letter, by its character code. */
const LETTER_NUMBERS = Array.from({ length: 0x80 }, (_, code) => {
  const number = ALPHABET.indexOf(String.fromCharCode(code));
  return number === -1 ? NaN : number;
});
/**
 * Hexadecimal digits of a digest that the check letters are made from: 52 bits, which a number
 * holds exactly.
 */
const CHECK_HEX_DIGITS = 13;
/**
 * A new key and the prefix that is kept of it. The key is shown once and stored nowhere.
 *
 * Its last letters depend on the others and on SECRET_KEY: a key that was mistyped or guessed is
 * known to be wrong without a look into the database.
 */
export function generateKey(secrets: Pick<Secrets, 'checkKeys'>): {
  readonly key: string;
  readonly prefix: string;
} {
  let body = 'sk-';
  for (let index = 0; index < RANDOM_LETTERS; index += 1) {
    body += ALPHABET.charAt(randomInt(ALPHABET.length));
  }
  const key = body + checkLetters(secrets.checkKeys[0], body);
  return { key, prefix: keyPrefix(key) };
}

/**
 * Reports whether a key ends in the letters that `generateKey` would have given it, now or before a
 * change of SECRET_KEY.
 */
export function hasCheckLetters(secrets: Pick<Secrets, 'checkKeys'>, key: string): boolean {
  const body = key.slice(0, -CHECK_LETTERS);
  const written = numberOfLetters(key, body.length);
  // Compared as numbers: guessed keys come in floods, and no letters are put together for them.
  for (const checkKey of secrets.checkKeys) {
    if (checkNumber(checkKey, body) % CHECK_NUMBERS === written) return true;
  }
  return false;
}

/** Returns the stored form of a key: its HMAC-SHA256, so that a stolen table opens nothing. */
export function keyDigest(secrets: Pick<Secrets, 'digestKeys'>, key: string): Buffer {
  return hmac(secrets.digestKeys[0], key);
}

/** Every digest a key may be stored under: keys made before a change of SECRET_KEY keep working. */
export function keyDigests(secrets: Pick<Secrets, 'digestKeys'>, key: string): Buffer[] {
  return secrets.digestKeys.map((digestKey) => hmac(digestKey, key));
}

function hmac(digestKey: Buffer, key: string): Buffer {
  return createHmac('sha256', digestKey).update(key, 'utf8').digest();
}

/**
 * Buffer in which a secret and the longest key are joined for hashing: every request with an
 * unknown key uses it.
 */
const toCheck = Buffer.alloc(512);

/** The part of it in use; nearly all keys are of one length. */
let inUse = toCheck;

/**
 * SHA-3 with a secret in front is a MAC as it is, unlike SHA-2, and takes half the time of an HMAC
 * object.
 */
function checkNumber(checkKey: Buffer, body: string): number {
  const length = checkKey.copy(toCheck) + toCheck.write(body, checkKey.length, 'latin1');
  if (length !== inUse.length) inUse = toCheck.subarray(0, length);
  const digest = hash('sha3-256', inUse, 'hex');
  return Number.parseInt(digest.slice(0, CHECK_HEX_DIGITS), 16);
}

function checkLetters(checkKey: Buffer, body: string): string {
  let number = checkNumber(checkKey, body);
  let letters = '';
  for (let index = 0; index < CHECK_LETTERS; index += 1) {
    letters += ALPHABET.charAt(number % ALPHABET.length);
    number = Math.floor(number / ALPHABET.length);
  }
  return letters;
}

/**
 * Returns the number below CHECK_NUMBERS that `checkLetters` wrote from `start` to the end of a
 * key; NaN for other letters.
 */
function numberOfLetters(key: string, start: number): number {
  let number = 0;
  for (let index = key.length - 1; index >= start; index -= 1) {
    number = number * ALPHABET.length + (LETTER_NUMBERS[key.charCodeAt(index)] ?? NaN);
  }
  return number;
}
