import { isJsonObject } from '../../platform/json/json-value.ts';

/**
 * Returns the names in Gemini's list of models, `{models: [{name: 'models/…'}]}`, as requests write
 * them: without the collection. Undefined when the reply is no such list.
 */
export function geminiModelNames(reply: unknown): readonly string[] | undefined {
  const list = isJsonObject(reply) ? reply['models'] : undefined;
  if (!Array.isArray(list)) return undefined;
  return list
    .map((item: unknown) => (isJsonObject(item) ? item['name'] : undefined))
    .filter((name) => typeof name === 'string')
    .map((name) => name.replace(/^models\//, ''));
}
