import { isJsonObject, parseOwnObject, stringOf } from '../../../platform/json/json-value.ts';
import { isForeignSignature } from '../wire/proofs.ts';

/**
 * Returns the messages as JSON without the thinking of other vendors, which a conversation has when
 * it comes from one of their models. Anthropic refuses a whole request for one such block.
 * @param bytes the body, checked before
 */
export function withoutForeignThinking(bytes: Buffer): string {
  return withoutBlocks(bytes, isForeign);
}

/**
 * The same without all thinking, for an account that has not made it: without any, a turn is legal.
 */
export function withoutThinking(bytes: Buffer): string {
  return withoutBlocks(
    bytes,
    (block) =>
      isJsonObject(block) &&
      (block['type'] === 'thinking' || block['type'] === 'redacted_thinking'),
  );
}

function withoutBlocks(bytes: Buffer, isDropped: (block: unknown) => boolean): string {
  const messages: unknown = parseOwnObject(bytes)?.['messages'];
  const kept = (Array.isArray(messages) ? (messages as unknown[]) : []).flatMap((message) => {
    if (!isJsonObject(message) || !Array.isArray(message['content'])) return [message];
    const given = message['content'] as unknown[];
    const content = given.filter((block) => !isDropped(block));
    if (content.length === given.length) return [message];
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return JSON.stringify(kept);
}

function isForeign(block: unknown): boolean {
  return (
    isJsonObject(block) &&
    block['type'] === 'thinking' &&
    isForeignSignature(stringOf(block['signature']))
  );
}
