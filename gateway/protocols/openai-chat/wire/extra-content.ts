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

/**
 * The member that carries a thought signature.
 * @param weir what Weir itself has to know of the call when it comes back
 */
export function extraContent(signature: string | undefined, weir?: JsonObject): JsonObject {
  if (signature === undefined && weir === undefined) return {};
  const google = signature === undefined ? {} : { google: { thought_signature: signature } };
  return { extra_content: { ...google, ...(weir && { weir }) } };
}
