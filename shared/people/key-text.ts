/**
 * The form of keys' values. A whole value opens an account: it must not get into an
 * address, which proxies write into their logs.
 */

/** Letters after "sk-" that a key must have to carry 160 bits. */
export const KEY_LETTERS_MIN = 27;

/**
 * Keys are 43 letters long; an operator may choose a longer first key, but no lookup hashes a
 * novel.
 */
export const KEY_LETTERS_MAX = 256;

/** "sk-" and six letters: enough to recognise a key, far too few to guess it. */
const KEY_PREFIX_LETTERS = 9;

const WHOLE_KEY = new RegExp(`sk-[0-9A-Za-z]{${KEY_LETTERS_MIN},${KEY_LETTERS_MAX}}`);

/** Returns the key in a text, such as a line of a file that it was found in; else undefined. */
export function wholeKeyIn(text: string): string | undefined {
  return WHOLE_KEY.exec(text)?.[0];
}

/** Returns the part of a key that is shown, and that finds it in a list. */
export function keyPrefix(key: string): string {
  return key.slice(0, KEY_PREFIX_LETTERS);
}

/** Returns what a list is searched for: of a text with a whole key in it, the key's prefix. */
export function withoutWholeKey(text: string): string {
  const key = wholeKeyIn(text);
  return key === undefined ? text : keyPrefix(key);
}
