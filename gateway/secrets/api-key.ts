import { createHmac, randomInt } from 'node:crypto';
import type { Secrets } from './secrets.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 of 62 letters carry 256 bits; DESIGN asks for at least 160. */
const RANDOM_LETTERS = 43;
/** "sk-" and six letters: enough to recognise a key, far too few to guess it. */
const PREFIX_LETTERS = 9;

/** Letters after "sk-" that a key must have to carry 160 bits. */
export const KEY_LETTERS_MIN = 27;

/** Keys are 43 letters long; an operator may choose a longer first key, but no lookup hashes a novel. */
export const KEY_LETTERS_MAX = 256;

/** A new key and the prefix that is kept of it. The key is shown once and stored nowhere. */
export function generateKey(): { readonly key: string; readonly prefix: string } {
  let key = 'sk-';
  for (let index = 0; index < RANDOM_LETTERS; index += 1) {
    key += ALPHABET.charAt(randomInt(ALPHABET.length));
  }
  return { key, prefix: keyPrefix(key) };
}

export function keyPrefix(key: string): string {
  return key.slice(0, PREFIX_LETTERS);
}

/** What the database stores of a key: its HMAC-SHA256, so that a stolen table opens nothing. */
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
