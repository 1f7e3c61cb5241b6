import type { JsonObject } from '../../platform/json/json-value.ts';

/**
 * The names of a field on the wire: in camel case, and in snake case as protocol buffers have it.
 * Google's parser takes both.
 */
export interface FieldName {
  readonly camel: string;
  readonly snake: string;
}

const NAMES = new Map<string, FieldName>();

export function fieldName(camel: string): FieldName {
  let name = NAMES.get(camel);
  if (name === undefined) {
    const snake = camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    name = { camel, snake };
    NAMES.set(camel, name);
  }
  return name;
}

/** Returns a field's value, by whichever name it was sent; null and absent are undefined. */
export function fieldOf(object: JsonObject, camel: string): unknown {
  return object[camel] ?? object[fieldName(camel).snake] ?? undefined;
}

/** Returns the name under which a field was sent; undefined when it was not. */
export function sentName(object: JsonObject, camel: string): string | undefined {
  if (Object.hasOwn(object, camel)) return camel;
  const { snake } = fieldName(camel);
  return Object.hasOwn(object, snake) ? snake : undefined;
}

/**
 * Returns the elements of a list; a single value stands for a list of one, as in Google's own
 * examples.
 */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Names are compared as case-insensitive decoders, such as Go's, compare them. */
function folded(name: string): string {
  // Upper case first: only it makes an s of "ſ". The dot is what "İ" leaves behind.
  return name.toUpperCase().toLowerCase().replaceAll('\u0307', '');
}

/** Fields whose names must be exact, because what Weir checked must be what the upstream reads. */
export class GuardedFields {
  readonly #byFolded = new Map<string, FieldName>();

  /** @param names in camel case */
  constructor(names: readonly string[]) {
    for (const camel of names) {
      const name = fieldName(camel);
      this.#byFolded.set(folded(name.camel), name);
      this.#byFolded.set(folded(name.snake), name);
    }
  }

  /** Returns the field that some decoders would take a key for, though it is written otherwise. */
  variantOf(key: string): string | undefined {
    const name = this.#byFolded.get(folded(key));
    if (name === undefined || key === name.camel || key === name.snake) return undefined;
    return name.camel;
  }

  /** Returns the first field that an object has under both of its names. */
  twiceIn(object: JsonObject): string | undefined {
    for (const { camel, snake } of this.#byFolded.values()) {
      if (camel !== snake && Object.hasOwn(object, camel) && Object.hasOwn(object, snake)) {
        return camel;
      }
    }
    return undefined;
  }
}
