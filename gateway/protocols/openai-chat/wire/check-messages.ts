import type { Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { checkCallName } from '../../fields/field-checks.ts';
import { invalidValue, missing, wrongType } from '../../fields/field-faults.ts';

/**
 * The parts of the messages other than text; each costs tokens that its bytes do not show.
 */
export interface MessageFacts {
  /** Content parts that are not text: images, audio, files, and kinds yet unknown. */
  mediaParts: number;
  /**
   * One of them may be as long as any prompt: a file or a video, compressed or behind a URL,
   * or a kind yet unknown.
   */
  hasUnboundedParts: boolean;
  /** One of the messages has the role `developer`. */
  hasDeveloper: boolean;
}

/** Media parts whose tokens have a bound. */
export const BOUNDED_MEDIA_TYPES: readonly string[] = ['image_url', 'input_audio'];

/** OpenAI's word for system messages, which few others know. */
export const DEVELOPER_ROLE = 'developer';
/** Roles whose messages must have content. */
export const ROLES_REQUIRING_CONTENT: readonly string[] = [
  'user',
  'tool',
  'system',
  DEVELOPER_ROLE,
];
/**
 * Roles whose messages may have no content: an assistant may only call tools, and a function may
 * return nothing.
 */
export const ROLES_WITH_OPTIONAL_CONTENT: readonly string[] = ['assistant', 'function'];

const CONTENT_TYPES = 'a string or an array of content parts';

/** Checks the `messages` of a chat-completions request. */
export function checkMessages(messages: unknown): Readonly<MessageFacts> | Refusal {
  if (!Array.isArray(messages)) return wrongType('messages', 'an array of messages', messages);
  if (messages.length === 0) {
    return invalidValue('messages', '"messages" is empty. Send at least one message.');
  }
  const facts = { mediaParts: 0, hasUnboundedParts: false, hasDeveloper: false };
  for (let index = 0; index < messages.length; index += 1) {
    const message: unknown = messages[index];
    if (!isJsonObject(message)) return wrongType(`messages[${index}]`, 'an object', message);
    const fault = checkRole(message, index) ?? checkToolCalls(message, index);
    if (fault !== undefined) return fault;
    const { content, images, role } = message;
    if (role === DEVELOPER_ROLE) facts.hasDeveloper = true;
    if (Array.isArray(images)) addImages(images, facts);
    // Most contents are strings, which need no further check.
    if (typeof content === 'string') continue;
    const wrong = checkContent(message, index, facts);
    if (wrong !== undefined) return wrong;
  }
  return facts;
}

function checkRole(message: JsonObject, index: number): Refusal | undefined {
  const { role } = message;
  if (role === undefined || role === null) {
    return missing(
      `messages[${index}].role`,
      `"messages[${index}]" has no role. Use "user", "assistant", "system", "developer" or "tool".`,
    );
  }
  if (typeof role !== 'string') return wrongType(`messages[${index}].role`, 'a string', role);
  if (ROLES_REQUIRING_CONTENT.includes(role) || ROLES_WITH_OPTIONAL_CONTENT.includes(role))
    return undefined;
  return invalidValue(
    `messages[${index}].role`,
    `"messages[${index}].role" is not a role of chat completions. Use "user", "assistant", "system", "developer" or "tool".`,
  );
}

/** Adds the parts that are not text to the facts. */
function checkContent(
  message: JsonObject,
  index: number,
  facts: MessageFacts,
): Refusal | undefined {
  const { content, role } = message;
  if (Array.isArray(content)) return checkParts(content, `messages[${index}].content`, facts);
  if (content !== undefined && content !== null) {
    return wrongType(`messages[${index}].content`, CONTENT_TYPES, content);
  }
  if (typeof role === 'string' && ROLES_WITH_OPTIONAL_CONTENT.includes(role)) return undefined;
  return missing(
    `messages[${index}].content`,
    `"messages[${index}].content" is missing. Send ${CONTENT_TYPES}.`,
  );
}

/** Adds images that a model has made, which clients send back in a list of their own. */
function addImages(images: readonly unknown[], facts: MessageFacts): void {
  for (const image of images) {
    if (!isJsonObject(image)) continue;
    const { type } = image;
    if (typeof type !== 'string' || type === 'text' || type === 'refusal') continue;
    addMedia(type, facts);
  }
}

function addMedia(type: string, facts: MessageFacts): void {
  facts.mediaParts += 1;
  if (!BOUNDED_MEDIA_TYPES.includes(type)) facts.hasUnboundedParts = true;
}

function checkParts(
  parts: readonly unknown[],
  param: string,
  facts: MessageFacts,
): Refusal | undefined {
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (!isJsonObject(part)) return wrongType(`${param}[${index}]`, 'a content part object', part);
    const { type, text } = part;
    if (typeof type !== 'string') {
      return type === undefined
        ? missing(`${param}[${index}].type`, `"${param}[${index}]" has no type, such as "text".`)
        : wrongType(`${param}[${index}].type`, 'a string', type);
    }
    if (type === 'refusal') continue;
    if (type !== 'text') {
      addMedia(type, facts);
      if (namesFile(part)) return refuseFile(`${param}[${index}].${type}.file_id`);
    } else if (typeof text !== 'string') {
      return wrongType(`${param}[${index}].text`, 'a string', text);
    }
  }
  return undefined;
}

/** Reports whether a part is a file stored at one upstream account: others do not have it. */
function namesFile(part: JsonObject): boolean {
  const { type, file_id: fileId } = part;
  const inner = typeof type === 'string' ? part[type] : undefined;
  return typeof (isJsonObject(inner) ? inner['file_id'] : fileId) === 'string';
}

function refuseFile(param: string): Refusal {
  return invalidValue(
    param,
    'Files are not stored here. Send the file itself: "file_data" with a data: URL.',
  );
}

function checkToolCalls(message: JsonObject, index: number): Refusal | undefined {
  const calls = message['tool_calls'];
  if (calls === undefined || calls === null) return undefined;
  const param = `messages[${index}].tool_calls`;
  if (!Array.isArray(calls)) return wrongType(param, 'an array', calls);
  for (let call = 0; call < calls.length; call += 1) {
    const fault = checkCall(calls[call], `${param}[${call}]`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function checkCall(call: unknown, param: string): Refusal | undefined {
  if (!isJsonObject(call)) return wrongType(param, 'an object', call);
  const { function: fn, custom } = call;
  if (isJsonObject(fn)) return checkCallName(fn['name'], `${param}.function.name`);
  return isJsonObject(custom) ? checkCallName(custom['name'], `${param}.custom.name`) : undefined;
}
