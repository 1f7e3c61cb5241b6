import { isJsonObject, parseOwnObject, type JsonObject } from '../../platform/json/json-value.ts';

/**
 * Returns the error of the vendor that an upstream has called, which OpenRouter puts into
 * `metadata.raw` as text; undefined if there is none.
 * https://openrouter.ai/docs/api-reference/errors
 */
export function relayedError({ metadata }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(metadata) || typeof metadata['raw'] !== 'string') return undefined;
  const reply = parseOwnObject(Buffer.from(metadata['raw']));
  if (reply === undefined) return undefined;
  return isJsonObject(reply['error']) ? reply['error'] : reply;
}
