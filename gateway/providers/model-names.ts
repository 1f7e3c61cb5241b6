import { isJsonObject } from '../platform/json/json-value.ts';

/**
 * Returns the names in an upstream's list of models: OpenAI's and Anthropic's `{data: [{id}]}`, or
 * the list alone, under `models`, or of names. Undefined when the reply is none.
 */
export function modelNames(reply: unknown): readonly string[] | undefined {
  const places = isJsonObject(reply) ? [reply['data'], reply['models']] : [reply];
  const list = places.find((place) => Array.isArray(place));
  if (!Array.isArray(list)) return undefined;
  const names = (list as readonly unknown[]).map(nameOf).filter((name) => typeof name === 'string');
  // Gemini's list, which has names of another kind, is none of these.
  return names.length === 0 && list.length > 0 ? undefined : names;
}

function nameOf(item: unknown): unknown {
  return isJsonObject(item) ? (item['id'] ?? item['model']) : item;
}
