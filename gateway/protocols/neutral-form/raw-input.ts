import type { JsonObject } from '../../platform/json/json-value.ts';

/**
 * Returns a call's arguments that are no object in one: models write such things, and replies are
 * cut off within them. The tool says what is wrong with it.
 */
export function rawInput(text: string): JsonObject {
  return { _raw: text };
}
