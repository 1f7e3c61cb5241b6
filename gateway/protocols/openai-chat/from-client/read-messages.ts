import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { carriedProof } from '../../neutral-form/proofs/proof.ts';
import type {
  AssistantPart,
  NeutralMessage,
  ToolCallPart,
  ToolResultPart,
} from '../../neutral-form/request.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import { inOrder } from '../wire/call-order.ts';
import { sentCallProof } from '../wire/call-proofs.ts';
import { readImages } from '../wire/images.ts';
import { readReasoning } from '../wire/reasoning-details.ts';
import { withoutBlocks } from './block-parts.ts';
import { cacheMark, readParts, readTexts } from '../wire/read-parts.ts';

/**
 * Returns the conversation in the neutral form; a refusal names what it cannot carry. The messages
 * have passed the checks of `checkMessages`.
 */
export function readMessages(messages: readonly unknown[]): NeutralMessage[] | Refusal {
  const read: NeutralMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (!isJsonObject(message)) continue;
    for (const plain of withoutBlocks(message)) {
      const one = readMessage(plain, `messages[${index}]`);
      if (isRefusal(one)) return one;
      addMessage(read, markEnd(one, plain));
    }
  }
  return read;
}

/** The results of several calls are one message. */
function addMessage(read: NeutralMessage[], one: NeutralMessage): void {
  const last = read.at(-1);
  if (one.role === 'tool' && last?.role === 'tool') {
    read[read.length - 1] = { role: 'tool', parts: [...last.parts, ...one.parts] };
  } else read.push(one);
}

/** A cache mark on a message is one on its last part. */
function markEnd(message: NeutralMessage, given: JsonObject): NeutralMessage {
  const { cache } = cacheMark(given);
  const last = message.parts.at(-1);
  if (cache === undefined || last === undefined || !isMarkable(last)) return message;
  const parts = [...message.parts.slice(0, -1), { ...last, cache }];
  return { ...message, parts } as NeutralMessage;
}

function isMarkable({ type }: NeutralMessage['parts'][number]): boolean {
  return type !== 'audio' && type !== 'reasoning';
}

function readMessage(message: JsonObject, param: string): NeutralMessage | Refusal {
  const { role, content } = message;
  switch (role) {
    case 'system':
    case 'developer': {
      const parts = readTexts(content, `${param}.content`);
      return isRefusal(parts) ? parts : { role: 'system', parts };
    }
    case 'assistant': {
      const parts = readAssistant(message, param);
      return isRefusal(parts) ? parts : { role: 'assistant', parts };
    }
    case 'tool': {
      const result = readResult(message, param);
      return isRefusal(result) ? result : { role: 'tool', parts: [result] };
    }
    case 'function':
      return refuseFunctions(`${param}.role`);
    default: {
      const parts = readParts(content, `${param}.content`);
      return isRefusal(parts) ? parts : { role: 'user', parts };
    }
  }
}

/** The form that calls had before tools. */
export function refuseFunctions(param: string): Refusal {
  return invalidValue(
    param,
    `"${param}" is of the old function calls, which this model’s upstream does not have. Send "tools", "tool_calls" and messages with role "tool".`,
  );
}

function readAssistant(message: JsonObject, param: string): AssistantPart[] | Refusal {
  if (isJsonObject(message['audio'])) {
    return invalidValue(
      `${param}.audio`,
      `"${param}.audio" refers to audio that is kept by another upstream. Send its transcript as content.`,
    );
  }
  if (isJsonObject(message['function_call'])) return refuseFunctions(`${param}.function_call`);
  const texts = readTexts(message['content'], `${param}.content`);
  if (isRefusal(texts)) return texts;
  const refusal = stringOf(message['refusal']);
  const list: unknown = message['tool_calls'];
  const calls = Array.isArray(list) ? list.filter(isJsonObject) : [];
  const before = [
    ...texts,
    ...(refusal === '' ? [] : [{ type: 'text' as const, text: refusal }]),
    ...readImages(message, carriedProof),
  ];
  return [...readReasoning(message, carriedProof), ...inOrder(before, calls.map(readCall), calls)];
}

function readCall(call: JsonObject): ToolCallPart {
  const custom = call['custom'];
  const freeForm = isJsonObject(custom) && !isJsonObject(call['function']);
  const called = freeForm ? custom : isJsonObject(call['function']) ? call['function'] : {};
  const input = stringOf(called[freeForm ? 'input' : 'arguments']);
  const named = { id: stringOf(call['id']), name: stringOf(called['name']) };
  const proof = sentCallProof(call, named);
  return {
    type: 'tool_call',
    ...named,
    input: input === '' && !freeForm ? '{}' : input,
    freeForm,
    ...(proof === null ? {} : { proof }),
    ...cacheMark(call),
  };
}

function readResult(message: JsonObject, param: string): ToolResultPart | Refusal {
  const parts = readParts(message['content'], `${param}.content`);
  if (isRefusal(parts)) return parts;
  const content = parts.filter((part) => part.type !== 'audio');
  if (content.length < parts.length) {
    return invalidValue(`${param}.content`, `"${param}.content" may not contain audio.`);
  }
  const name = stringOf(message['name']);
  return {
    type: 'tool_result',
    callId: stringOf(message['tool_call_id']),
    ...(name === '' ? {} : { name }),
    content,
    isError: message['is_error'] === true,
  };
}
