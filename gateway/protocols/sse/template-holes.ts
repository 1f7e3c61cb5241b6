const PADDING_KEY = 'obfuscation';
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** A number with more digits is none that a double holds. */
export const NUMBER_DIGITS_MAX = 15;

/** A range in the bytes of an event. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value that varies between events that are alike. */
export interface Hole extends Span {
  readonly kind: 'delta' | 'padding' | 'number';
  /** The key of the value. */
  readonly key: string;
}

/** The varying values of the event from which a template is learnt. */
export interface Varying {
  /** The key of the delta's string, and its value. */
  readonly key: string;
  readonly text: string;
  /** Keys of numbers that differ from event to event, where an event has them. */
  readonly numberKeys: readonly string[];
}

/**
 * Finds what varies in an event, in its order: the string of the delta, the padding and numbers.
 * Returns undefined when they cannot be distinguished from the rest with certainty.
 */
export function findHoles(
  block: Buffer,
  { key, text, numberKeys }: Varying,
): readonly Hole[] | undefined {
  // One character a byte, so that offsets in the text are offsets in the bytes.
  const latin1 = block.toString('latin1');
  const delta = stringSpan(latin1, key);
  if (delta === undefined || delta === 'absent') return undefined;
  if (decoded(block, delta) !== text) return undefined;
  const found: Hole[] = [{ ...delta, kind: 'delta', key }];
  const padding = stringSpan(latin1, PADDING_KEY);
  if (padding === undefined) return undefined;
  if (padding !== 'absent') found.push({ ...padding, kind: 'padding', key: PADDING_KEY });
  for (const numberKey of numberKeys) {
    const number = numberSpan(latin1, numberKey);
    if (number === undefined) return undefined;
    if (number !== 'absent') found.push({ ...number, kind: 'number', key: numberKey });
  }
  return found.toSorted((one, other) => one.start - other.start);
}

/**
 * The digits of a number; undefined when the key is there more than once, or has another value.
 */
function numberSpan(latin1: string, key: string): Span | 'absent' | undefined {
  const marker = `"${key}":`;
  const at = latin1.indexOf(marker);
  if (at === -1) return latin1.includes(`"${key}"`) ? undefined : 'absent';
  if (at !== latin1.lastIndexOf(marker)) return undefined;
  let start = at + marker.length;
  while (latin1.charCodeAt(start) === SPACE) start += 1;
  const digits = /^\d{1,15}(?=[,}])/.exec(latin1.slice(start, start + NUMBER_DIGITS_MAX + 1));
  return digits === null ? undefined : { start, end: start + digits[0].length };
}

/**
 * The string that is the value of a key. A quoted name and a colon can only be a key in JSON; when
 * the key is there more than once, or has no string, the answer is undefined.
 */
function stringSpan(latin1: string, key: string): Span | 'absent' | undefined {
  const marker = `"${key}":`;
  const at = latin1.indexOf(marker);
  if (at === -1) return latin1.includes(`"${key}"`) ? undefined : 'absent';
  if (at !== latin1.lastIndexOf(marker)) return undefined;
  let start = at + marker.length;
  while (latin1.charCodeAt(start) === SPACE) start += 1;
  if (latin1.charCodeAt(start) !== QUOTE) return undefined;
  start += 1;
  let end = start;
  while (end < latin1.length && latin1.charCodeAt(end) !== QUOTE) {
    end += latin1.charCodeAt(end) === BACKSLASH ? 2 : 1;
  }
  return { start, end };
}

function decoded(block: Buffer, { start, end }: Span): unknown {
  return JSON.parse(`"${block.toString('utf8', start, end)}"`);
}
