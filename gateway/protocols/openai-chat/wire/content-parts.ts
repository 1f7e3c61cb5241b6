import {
  isOwnJsonObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';

/**
 * Makes the content of a message or delta a string when it is a list of text and thinking, as
 * Mistral's reasoning models send it: clients put strings together and would show "[object
 * Object]". Thinking goes where other upstreams have it. A list with anything else in it, such as
 * images, stays as it is. Returns whether something was changed.
 */
export function joinParts(message: OwnJsonObject): boolean {
  const parts = message['content'];
  if (!Array.isArray(parts)) return false;
  let content = '';
  let reasoning = '';
  for (const part of parts as unknown[]) {
    if (!isOwnJsonObject(part)) return false;
    const { type, text, thinking } = part;
    if (type === 'text' && typeof text === 'string') content += text;
    else if (type === 'thinking') reasoning += thinkingText(thinking);
    else return false;
  }
  message['content'] = content;
  const given = message['reasoning_content'];
  // Servers that are changing from one form to the other may send both.
  const both = typeof given === 'string' && given !== '';
  if (reasoning !== '' && !both) message['reasoning_content'] = reasoning;
  return true;
}

/** A field that is mostly text; a list, such as images among text, as JSON. */
export function toText(value: unknown): string {
  return Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : stringOf(value);
}

/**
 * Reasoning under either of its names: servers that are changing from one to the other send both.
 */
export function reasoningText(message: OwnJsonObject): string {
  return toText(message['reasoning_content']) || toText(message['reasoning']);
}

/**
 * The texts and summaries in OpenRouter's `reasoning_details`, which has them besides in
 * `reasoning`, mostly. What is encrypted there says nothing that could be counted.
 */
export function detailedReasoning(message: OwnJsonObject): string {
  const details = message['reasoning_details'];
  let said = '';
  for (const detail of Array.isArray(details) ? (details as unknown[]) : []) {
    if (isOwnJsonObject(detail)) said += stringOf(detail['text']) + stringOf(detail['summary']);
  }
  return said;
}

/** Thinking is a list of texts and references, or a string. */
function thinkingText(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking;
  let said = '';
  for (const part of Array.isArray(thinking) ? (thinking as unknown[]) : []) {
    if (isOwnJsonObject(part) && typeof part['text'] === 'string') said += part['text'];
  }
  return said;
}
