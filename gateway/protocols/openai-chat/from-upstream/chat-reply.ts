import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { applyEdits } from '../../../platform/json/apply-edits.ts';
import type { MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import { failedChoice } from '../../openai-family/chunks/stream-error.ts';
import { detailedReasoning, joinParts, reasoningText, toText } from '../wire/content-parts.ts';
import { knownFinishReason } from './finish-reason.ts';
import { CHAT_REPLY_FIELDS } from './known-fields.ts';
import { ReplyFrame } from '../../openai-family/chunks/reply-frame.ts';
import type { Reply, ReplyTerms } from '../../protocol.ts';
import { calleeOf, identifyCall, stringifyArguments, toolTextKey } from './tool-call.ts';
import { fixUsage, readUsage, usageObject } from '../../openai-family/usage.ts';

/** A whole reply, its messages in the form that every tested SDK understands. */
export interface ReadReply {
  /** The body without a byte order mark. */
  readonly body: Buffer;
  readonly reply: OwnJsonObject;
  readonly messages: readonly ChoiceMessage[];
  /** The messages differ from what came. */
  readonly changed: boolean;
}

/**
 * Reads a reply that is not streamed. Returns undefined when it is no chat completion: HTML, text,
 * an error object under status 200, choices without a message or that failed. An SDK would hand
 * such a thing to the program as a result.
 */
export function readMessagesOf(received: Buffer): ReadReply | undefined {
  const body = withoutByteOrderMark(received);
  const reply = parseOwnObject(body);
  if (reply === undefined) return undefined;
  if (reply['error'] !== undefined && reply['error'] !== null) return undefined;
  const messages = messagesOf(reply['choices']);
  // One that failed has what was made until then.
  if (messages === undefined || failedChoice(reply) !== undefined) return undefined;
  return { body, reply, messages, changed: messages.map(fixMessage).includes(true) };
}

/** A reply for clients of this protocol, in its own bytes as far as they are as they should be. */
export function readChatReply(
  received: Buffer,
  publicModel: string,
  terms?: ReplyTerms,
): Reply | undefined {
  const read = readMessagesOf(received);
  if (read === undefined) return undefined;
  const { body, reply, messages } = read;
  const edits: MemberEdit[] = [];
  const frame = new ReplyFrame(publicModel, 'chat.completion');
  const closed = terms?.fieldPolicy !== 'all' && frame.close(reply, CHAT_REPLY_FIELDS);
  const changed = closed || read.changed;
  frame.edit(reply, edits);
  const usage = reply['usage'];
  const reported = readUsage(usage, reply['service_tier']);
  const fixed = isOwnJsonObject(usage) && fixUsage(usage, reported);
  return {
    bytes: applyEdits(body, reply, fixed ? [...edits, usageEdit(usage)] : edits, changed),
    withUsage: (counts) =>
      applyEdits(body, reply, [...edits, usageEdit(usageObject(counts))], changed),
    usage: reported ?? null,
    deliveredText: () => messages.map(({ message }) => textOf(message)).join(''),
  };
}

function usageEdit(usage: OwnJsonObject): MemberEdit {
  return { name: 'usage', value: JSON.stringify(usage) };
}

/** A choice with its message. */
export interface ChoiceMessage {
  readonly choice: OwnJsonObject;
  readonly message: OwnJsonObject;
}

/** Undefined unless there is at least one choice and each has a message. */
function messagesOf(choices: unknown): ChoiceMessage[] | undefined {
  if (!Array.isArray(choices) || choices.length === 0) return undefined;
  const messages: ChoiceMessage[] = [];
  for (const choice of choices as unknown[]) {
    if (!isOwnJsonObject(choice) || !isOwnJsonObject(choice['message'])) return undefined;
    messages.push({ choice, message: choice['message'] });
  }
  return messages;
}

/** Returns whether something was changed. */
function fixMessage(one: ChoiceMessage, position: number): boolean {
  const { choice, message } = one;
  let changed = joinParts(message);
  // Agents send the message back as it is, and LangChain.js finds neither calls nor usage in one
  // without its role.
  if (message['role'] !== 'assistant') {
    message['role'] = 'assistant';
    changed = true;
  }
  if (typeof choice['index'] !== 'number') {
    choice['index'] = position;
    changed = true;
  }
  const { finish_reason: reason } = choice;
  if (typeof reason === 'string' && knownFinishReason(reason) !== reason) {
    choice['finish_reason'] = knownFinishReason(reason);
    changed = true;
  }
  return fixCalls(one) || changed;
}

/**
 * A reply that calls something says so, and no two of its calls have the same id. Returns whether
 * something was changed.
 */
function fixCalls({ choice, message }: ChoiceMessage): boolean {
  const { tool_calls: calls, function_call: legacy } = message;
  const callsTools = Array.isArray(calls) && calls.length > 0;
  const callsFunction = isOwnJsonObject(legacy) && stringOf(legacy['name']) !== '';
  let changed = isOwnJsonObject(legacy) && stringifyArguments(legacy, 'arguments');
  if (choice['finish_reason'] === 'stop' && (callsTools || callsFunction)) {
    choice['finish_reason'] = callsTools ? 'tool_calls' : 'function_call';
    changed = true;
  }
  if (!callsTools) return changed;
  // Most replies call one tool, and need none.
  const ids = calls.length > 1 ? new Set<string>() : undefined;
  for (const call of calls as unknown[]) {
    if (!isOwnJsonObject(call)) continue;
    const id = stringOf(call['id']);
    if (identifyCall(call, id, ids?.has(id) === true)) changed = true;
    ids?.add(id);
    if (fixText(call)) changed = true;
  }
  return changed;
}

/**
 * Arguments are JSON text, and there always; an input is any text. Returns whether something was
 * changed.
 */
function fixText(call: OwnJsonObject): boolean {
  const called = calleeOf(call);
  if (called === undefined) return false;
  const key = toolTextKey(call);
  if (stringifyArguments(called, key)) return true;
  if (key === 'input' || stringOf(called[key]) !== '') return false;
  called[key] = '{}';
  return true;
}

function textOf(message: OwnJsonObject): string {
  let text = reasoningText(message) || detailedReasoning(message);
  text += toText(message['content']) + toText(message['refusal']);
  const calls: unknown = message['tool_calls'];
  for (const call of Array.isArray(calls) ? (calls as unknown[]) : []) {
    const called = isOwnJsonObject(call) ? calleeOf(call) : undefined;
    if (!isOwnJsonObject(call) || called === undefined) continue;
    text += stringOf(called['name']) + stringOf(called[toolTextKey(call)]);
  }
  const { function_call: call, audio } = message;
  if (isOwnJsonObject(call)) text += stringOf(call['name']) + stringOf(call['arguments']);
  return isOwnJsonObject(audio) ? text + stringOf(audio['transcript']) : text;
}
