/** Consonants: nothing is misread, and no code is a word (RFC 8628, 6.1). */
export const USER_CODE_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
export const USER_CODE_LETTERS = 8;
const GROUP_LETTERS = 4;

/** The letters of a code as typed, in any case, with dash, spaces or neither; null for others. */
export function userCodeLetters(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '');
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(letters) ? letters : null;
}

/** `BCDF-GHJK`, as it is shown. */
export function shownUserCode(letters: string): string {
  return `${letters.slice(0, GROUP_LETTERS)}-${letters.slice(GROUP_LETTERS)}`;
}
