/**
 * The characters that a text from a person may have, by its use.
 *
 * - `line`: a name, shown in lists. No character that cannot be seen or that changes the order of
 *   others.
 * - `lines`: a longer text. The same, except for the ends of lines and invisible characters that a
 *   word processor leaves behind.
 * - `ascii`: what is sent as it is, such as a credential in a header, an address or a model ID.
 *   Visible ASCII characters alone.
 * - `credential`: the same, or a JSON file in ASCII.
 */
export const TEXT_KINDS = ['line', 'lines', 'ascii', 'credential'] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

/** Controls, separators of lines, halves of characters, and what turns the direction of writing. */
const UNPRINTABLE = String.raw`\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069`;
const REFUSED: Readonly<Record<TextKind, RegExp>> = {
  line: new RegExp(String.raw`[\p{Cc}\u00ad\u200b\u2060-\u2064\ufeff${UNPRINTABLE}]`, 'u'),
  lines: new RegExp(String.raw`[${UNPRINTABLE}]|(?![\t\n\r])\p{Cc}`, 'u'),
  ascii: /[^\x21-\x7e]/u,
  credential: /(?<!^\{[^]*)[^\x21-\x7e]|[^\x20-\x7e\t\n\r]/u,
};

/**
 * Returns what is wrong with a text, as the end of a sentence that begins with its name: which
 * character, where, and what to do. Undefined when nothing is.
 */
export function textFault(text: string, kind: TextKind): string | undefined {
  const found = REFUSED[kind].exec(text);
  if (found === null) return undefined;
  const [character] = found;
  const place = Array.from(text.slice(0, found.index)).length + 1;
  const remedy = isSentAsItIs(kind)
    ? 'Visible ASCII characters are expected; copy it again from its source, or type it.'
    : 'Remove that character, or type the text again.';
  return `has ${characterName(character)} as character ${place}. ${remedy}`;
}

/** Texts that people paste: what is around them is trimmed. */
export function isSentAsItIs(kind: TextKind): boolean {
  return kind === 'ascii' || kind === 'credential';
}

/**
 * A pasted credential or address without the white space, ends of lines and byte order mark around
 * it: they come with copying, and no vendor's key begins or ends with one. What is inside stays, so
 * that it is refused.
 */
export function trimPasted(text: string): string {
  return text.replace(AROUND, '');
}

/** `\s` includes no-break spaces, the separators of lines and U+FEFF. */
const AROUND = /^[\s\u200b\u2060]+|[\s\u200b\u2060]+$/g;

const SHOWN = /^[\p{L}\p{N}\p{P}\p{S}]$/u;
const SCRIPTS = ['Cyrillic', 'Greek', 'Han', 'Arabic', 'Hebrew', 'Hangul', 'Latin'].map((name) => ({
  name,
  pattern: new RegExp(String.raw`\p{Script=${name}}`, 'u'),
}));

/** Names of the characters that come with copying, as Unicode has them. */
const NAMES: Readonly<Record<string, string>> = {
  '\0': 'NULL',
  '\t': 'TAB',
  '\n': 'LINE FEED',
  '\r': 'CARRIAGE RETURN',
  '\x1b': 'ESCAPE',
  '\x7f': 'DELETE',
  ' ': 'SPACE',
  '\u00a0': 'NO-BREAK SPACE',
  '\u00ad': 'SOFT HYPHEN',
  '\u200b': 'ZERO WIDTH SPACE',
  '\u200c': 'ZERO WIDTH NON-JOINER',
  '\u200d': 'ZERO WIDTH JOINER',
  '\u200e': 'LEFT-TO-RIGHT MARK',
  '\u200f': 'RIGHT-TO-LEFT MARK',
  '\u2010': 'HYPHEN',
  '\u2011': 'NON-BREAKING HYPHEN',
  '\u2013': 'EN DASH',
  '\u2014': 'EM DASH',
  '\u2018': 'LEFT SINGLE QUOTATION MARK',
  '\u2019': 'RIGHT SINGLE QUOTATION MARK',
  '\u201c': 'LEFT DOUBLE QUOTATION MARK',
  '\u201d': 'RIGHT DOUBLE QUOTATION MARK',
  '\u2026': 'HORIZONTAL ELLIPSIS',
  '\u2028': 'LINE SEPARATOR',
  '\u2029': 'PARAGRAPH SEPARATOR',
  '\u202d': 'LEFT-TO-RIGHT OVERRIDE',
  '\u202e': 'RIGHT-TO-LEFT OVERRIDE',
  '\u2060': 'WORD JOINER',
  '\u2066': 'LEFT-TO-RIGHT ISOLATE',
  '\u2067': 'RIGHT-TO-LEFT ISOLATE',
  '\u3000': 'IDEOGRAPHIC SPACE',
  '\ufeff': 'BYTE ORDER MARK',
};

/** `U+200B (ZERO WIDTH SPACE)`, `U+0430 (а, a Cyrillic letter)`. */
function characterName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const point = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = NAMES[character];
  if (name !== undefined) return `${point} (${name})`;
  if (/^\p{Cc}$/u.test(character)) return `${point} (a control character)`;
  if (!SHOWN.test(character)) return point;
  const script = SCRIPTS.find(({ pattern }) => pattern.test(character));
  return script === undefined
    ? `${point} (${character})`
    : `${point} (${character}, a ${script.name} letter)`;
}
