import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';

/** All that the model has written in these items, to count its tokens. */
export function textOfOutput(output: unknown): string {
  if (!Array.isArray(output)) return '';
  return output.map((item) => (isJsonObject(item) ? textOfItem(item) : '')).join('');
}

/** Returns the model's text in one item: text, a refusal, reasoning, or a call. */
export function textOfItem(item: JsonObject): string {
  const { name, arguments: input } = item;
  const called =
    typeof input === 'string' ? input : input === undefined ? '' : JSON.stringify(input);
  const parts = [...textsOf(item['summary']), ...textsOf(item['content'])];
  return parts.join('') + stringOf(name) + called + stringOf(item['input']);
}

function textsOf(parts: unknown): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.map((part) =>
    isJsonObject(part) ? stringOf(part['text']) + stringOf(part['refusal']) : '',
  );
}
