import { utf8Text } from './utf8-text.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * An object that was parsed here and that nothing else refers to, so that it may be changed in
 * place.
 */
export type OwnJsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON value's type as a message says it: "a string", "an array", "null". */
export function jsonTypeName(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

/** Like `isJsonObject`, for values that were parsed here. */
export function isOwnJsonObject(value: unknown): value is OwnJsonObject {
  return isJsonObject(value);
}

/** A text; empty for anything else. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The object that bytes in UTF-8 spell, undefined when they spell anything else. */
export function parseOwnObject(bytes: Buffer): OwnJsonObject | undefined {
  try {
    const value: unknown = JSON.parse(utf8Text(bytes));
    return isOwnJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * An object's JSON without its braces, to be put among other members: in one piece. V8 keeps what
 * was cut out as a reference; where a text goes into thousands of others, each of them pays for
 * that.
 */
export function membersJson(object: object): string {
  return Buffer.from(JSON.stringify(object).slice(1, -1)).toString();
}
