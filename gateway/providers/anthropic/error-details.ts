import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';

/** Characters of an error's details as JSON. Anthropic's own have a code and a few names. */
const DETAILS_CHARACTERS_MAX = 2_000;

/**
 * Returns the `details` of an Anthropic error, by whose `error_code` its SDKs go on by themselves;
 * undefined when it has no code. Only plain values and lists of them are taken over.
 * @param clean removes what customers must not see from a text
 */
export function errorDetails(
  { details }: JsonObject,
  clean: (text: string) => string,
): JsonObject | undefined {
  if (!isJsonObject(details) || typeof details['error_code'] !== 'string') return undefined;
  const plain = Object.entries(details).filter(([, value]) =>
    Array.isArray(value) ? value.every(isPlain) : isPlain(value),
  );
  const json = clean(JSON.stringify(Object.fromEntries(plain)));
  if (json.length > DETAILS_CHARACTERS_MAX) return { error_code: details['error_code'] };
  return JSON.parse(json) as JsonObject;
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
