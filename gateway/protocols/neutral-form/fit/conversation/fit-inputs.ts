import { isJsonObject } from '../../../../platform/json/json-value.ts';
import type { AssistantPart, NeutralMessage } from '../../request.ts';
import { rawInput } from '../../raw-input.ts';
import type { Fit } from '../fit-request.ts';
import { mapSame } from '../map-same.ts';

/**
 * Longer arguments are taken for whole when they begin and end with a bracket, so that a long
 * conversation is not parsed again.
 */
const PARSED_CHARACTERS_MAX = 4_096;

/**
 * Makes the arguments of earlier calls JSON objects, where the target reads them: vendors refuse
 * the whole conversation for a call in it that was cut off.
 */
export const fitInputs: Fit = (request, { callInputs }) => {
  if (callInputs === 'any') return { request };
  const messages = mapSame(request.messages, (message): NeutralMessage => {
    if (message.role !== 'assistant') return message;
    const parts = mapSame(message.parts, fittedCall);
    return parts === message.parts ? message : { role: 'assistant', parts };
  });
  return { request: messages === request.messages ? request : { ...request, messages } };
};

function fittedCall(part: AssistantPart): AssistantPart {
  if (part.type !== 'tool_call' || part.freeForm || isObject(part.input)) return part;
  const { input } = part;
  return { ...part, input: input.trim() === '' ? '{}' : JSON.stringify(rawInput(input)) };
}

function isObject(text: string): boolean {
  if (!/^\s*\{/.test(text) || !/\}\s*$/.test(text.slice(-PARSED_CHARACTERS_MAX))) return false;
  if (text.length > PARSED_CHARACTERS_MAX) return true;
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}
