import { isJsonObject, parseOwnObject, stringOf } from '../../../platform/json/json-value.ts';
import { isSignedId } from '../../../platform/secrets/signed-id.ts';
import { clientContext } from '../wire/client-context.ts';
import type { ResponsesRequest } from './parse-request.ts';

const ITEM_ID_CHARACTERS_MAX = 64;

/** How OpenAI's ids of items begin; it refuses others ("Expected an ID that begins with 'fc'"). */
const ID_BEGINNINGS: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
};

/**
 * Reports whether reading and writing a request changes what OpenAI refuses: tools with names of
 * their own, and items with ids that another vendor made (github/app#409), which writing leaves
 * out.
 */
export function isRewritten(request: ResponsesRequest): boolean {
  if (clientContext(request).names.renames) return true;
  const input = parseOwnObject(request.bytes)?.['input'];
  return Array.isArray(input) && input.some((item) => isJsonObject(item) && hasForeignId(item));
}

function hasForeignId({ id, type = 'message' }: Readonly<Record<string, unknown>>): boolean {
  const text = stringOf(id);
  if (text === '' || isSignedId(id)) return false;
  const beginning = ID_BEGINNINGS[stringOf(type)] ?? '';
  return text.length > ITEM_ID_CHARACTERS_MAX || !text.startsWith(beginning);
}
