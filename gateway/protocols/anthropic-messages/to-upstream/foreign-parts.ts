import {
  isJsonObject,
  parseOwnObject,
  stringOf,
  type JsonObject,
} from '../../../platform/json/json-value.ts';
import { hasForeignCitation, withoutForeignCitations } from '../wire/citations.ts';
import { isForeignSignature } from '../wire/proofs.ts';

/**
 * Returns the messages as JSON without the thinking and citations of other vendors, which a
 * conversation has when it comes from one of their models. Anthropic refuses a whole request for
 * one such block of thinking.
 * @param bytes the body, checked before
 */
export function withoutForeignParts(bytes: Buffer): string {
  return withBlocks(bytes, (block) => {
    if (!isJsonObject(block)) return block;
    if (isForeign(block)) return undefined;
    return hasForeignCitation(block) ? withoutForeignCitations(block) : block;
  });
}

/**
 * The same without all thinking, for an account that has not made it: without any, a turn is legal.
 */
export function withoutThinking(bytes: Buffer): string {
  return withBlocks(bytes, (block) => {
    const type = isJsonObject(block) ? block['type'] : undefined;
    return type === 'thinking' || type === 'redacted_thinking' ? undefined : block;
  });
}

/** @param kept returns what of a block stays; undefined: nothing */
function withBlocks(bytes: Buffer, kept: (block: unknown) => unknown): string {
  const messages: unknown = parseOwnObject(bytes)?.['messages'];
  const written = (Array.isArray(messages) ? (messages as unknown[]) : []).flatMap((message) => {
    if (!isJsonObject(message) || !Array.isArray(message['content'])) return [message];
    const given = message['content'] as unknown[];
    const content = given.map(kept).filter((block) => block !== undefined);
    const isSame = content.length === given.length && content.every((one, at) => one === given[at]);
    if (isSame) return [message];
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return JSON.stringify(written);
}

function isForeign({ type, signature }: JsonObject): boolean {
  return type === 'thinking' && isForeignSignature(stringOf(signature));
}
