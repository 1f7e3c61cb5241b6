import { isJsonObject } from '../platform/json/json-value.ts';

/**
 * Returns the names in an upstream's list of models: OpenAI's and Anthropic's `{data: [{id}]}`, or
 * the list alone. Undefined when the reply is none.
 */
export function modelNames(reply: unknown): readonly string[] | undefined {
  const list = isJsonObject(reply) ? reply['data'] : reply;
  if (!Array.isArray(list)) return undefined;
  return list
    .map((item: unknown) => (isJsonObject(item) ? item['id'] : undefined))
    .filter((id) => typeof id === 'string');
}
