import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';

/**
 * The thought signature of a tool call, in the place that Google's OpenAI-compatible interface has
 * for it; empty when there is none.
 */
export function thoughtSignatureOf(call: JsonObject): string {
  const extra = call['extra_content'];
  const google = isJsonObject(extra) ? extra['google'] : undefined;
  return isJsonObject(google) ? stringOf(google['thought_signature']) : '';
}

/** The member that carries a thought signature. */
export function extraContent(signature: string): JsonObject {
  return { extra_content: { google: { thought_signature: signature } } };
}
