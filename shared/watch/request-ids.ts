const WHOLE = /(?<![0-9a-f-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f-])/i;
/** At least the time of a UUID, so that an ordinary word is none. */
const PART = /^[0-9a-f]{8}-[0-9a-f-]{0,27}$|^[0-9a-f]{9,}$/i;

/**
 * Finds the UUID in a text, such as a line of a log or the message of an error. Undefined where
 * there is none.
 */
export function uuidIn(text: string): string | undefined {
  return WHOLE.exec(text)?.[0].toLowerCase();
}

/** Reports whether a text looks like a part of a UUID: ids are only found whole. */
export function isPartOfUuid(text: string): boolean {
  return PART.test(text.trim()) && uuidIn(text) === undefined;
}

/** Hexadecimal digits of a UUID that are its time, milliseconds since 1970. */
const TIME_DIGITS = 12;

/**
 * The time in an id may be this much later than that of its request: some times would spell a
 * status code there.
 */
export const ID_LATER_MS_MAX = 48;

/** When a request came, as its id says: milliseconds since 1970. */
export function timeOfRequestId(requestId: string): number {
  return Number.parseInt(requestId.replaceAll('-', '').slice(0, TIME_DIGITS), 16);
}
