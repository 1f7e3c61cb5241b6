import type { Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { invalidValue, missing, wrongType } from '../../fields/field-faults.ts';
import { checkContent } from './check-content.ts';
import type { RequestFacts } from './request-facts.ts';

/** System messages may come in the middle of a conversation. */
const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system']);

/** Checks `messages` and `system`. */
export function checkMessages(body: JsonObject, facts: RequestFacts): Refusal | undefined {
  const { messages, system } = body;
  if (messages === undefined || messages === null) return missingMessages(body);
  if (!Array.isArray(messages)) return wrongType('messages', 'an array of messages', messages);
  if (messages.length === 0) {
    return invalidValue('messages', '"messages" is empty. Send at least one message.');
  }
  for (let index = 0; index < messages.length; index += 1) {
    const fault = checkMessage(messages[index], index, facts);
    if (fault !== undefined) return fault;
  }
  return system === undefined || system === null
    ? undefined
    : checkContent(system, 'system', facts);
}

function checkMessage(message: unknown, index: number, facts: RequestFacts): Refusal | undefined {
  if (!isJsonObject(message)) return wrongType(`messages[${index}]`, 'an object', message);
  const { role, content } = message;
  if (!ROLES.has(role)) {
    return typeof role === 'string' || role === undefined
      ? invalidValue(
          `messages[${index}].role`,
          `"messages[${index}].role" must be "user", "assistant" or "system".`,
        )
      : wrongType(`messages[${index}].role`, 'a string', role);
  }
  return checkContent(content, `messages[${index}].content`, facts);
}

/**
 * Other interfaces call it differently; the field that is there shows which one the client meant.
 */
function missingMessages(body: JsonObject): Refusal {
  const remedy = 'Send "messages": [{"role": "user", "content": "…"}].';
  const other = body['input'] === undefined ? undefined : 'a Responses request';
  const meant = other ?? (body['contents'] === undefined ? undefined : 'a Gemini request');
  const found = meant === undefined ? '' : `: this is ${meant} on the path of Messages`;
  return missing('messages', `"messages" is missing${found}. ${remedy}`);
}
