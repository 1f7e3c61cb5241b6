import { isJsonObject, parseOwnObject, stringOf } from '../../../platform/json/json-value.ts';
import { isSignedId } from '../../../platform/secrets/signed-id.ts';
import { objectsOf } from '../../../tokens/prompt-counter.ts';
import type { TargetProfile } from '../../target-profile.ts';
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
 * Reports whether reading and writing a request changes what upstreams refuse: tools with names of
 * their own, tools other than functions where the target has none
 * (CommandCodeAI/command-code#885), and items with ids that another vendor made (github/app#409),
 * which writing leaves out.
 */
export function isRewritten(
  request: ResponsesRequest,
  { customTools, allowedTools }: TargetProfile,
): boolean {
  if (clientContext(request).names.renames) return true;
  const body = parseOwnObject(request.bytes) ?? {};
  const tools = objectsOf(body['tools']);
  const items = objectsOf(body['input']);
  const hasOtherTools =
    tools.some(({ type }) => type !== 'function') ||
    items.some(({ type }) => type === 'additional_tools');
  if (hasOtherTools && !customTools) return true;
  const choice = body['tool_choice'];
  const isAmong = isJsonObject(choice) && choice['type'] === 'allowed_tools';
  return (isAmong && !allowedTools) || items.some(hasForeignId);
}

function hasForeignId({ id, type = 'message' }: Readonly<Record<string, unknown>>): boolean {
  const text = stringOf(id);
  if (text === '' || isSignedId(id)) return false;
  const beginning = ID_BEGINNINGS[stringOf(type)] ?? '';
  return text.length > ITEM_ID_CHARACTERS_MAX || !text.startsWith(beginning);
}
