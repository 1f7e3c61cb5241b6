import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { placedProof } from '../../neutral-form/proofs/proof-place.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type {
  AssistantPart,
  NeutralMessage,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../../neutral-form/request.ts';
import { readBlock } from '../from-upstream/read-reply.ts';
import { cacheMark, readText, readUserBlock } from './read-blocks.ts';

/**
 * Claude Code's first system block identifies the payer to Anthropic, and differs with each prompt:
 * other vendors would find no prompt in their caches.
 */
const BILLING_HEADER = 'x-anthropic-billing-header:';

/**
 * Returns system prompt and messages in the neutral form; the checks of `checkMessages` have
 * passed.
 */
export function readMessages(body: JsonObject): NeutralMessage[] | Refusal {
  const messages: NeutralMessage[] = [];
  const system = readTexts(body['system']).filter(({ text }) => !text.startsWith(BILLING_HEADER));
  if (system.length > 0) messages.push({ role: 'system', parts: system });
  const given: unknown = body['messages'];
  for (const [index, message] of (Array.isArray(given) ? (given as unknown[]) : []).entries()) {
    if (!isJsonObject(message)) continue;
    const read = readMessage(message, `messages[${index}].content`);
    if (isRefusal(read)) return read;
    messages.push(...read);
  }
  return messages;
}

function readMessage(
  { role, content }: JsonObject,
  param: string,
): readonly NeutralMessage[] | Refusal {
  switch (role) {
    case 'system':
      return [{ role: 'system', parts: readTexts(content) }];
    case 'assistant':
      return [{ role: 'assistant', parts: readAssistant(content) }];
    default:
      return readUser(content, param);
  }
}

function readTexts(content: unknown): TextPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return blocksOf(content).flatMap(readText);
}

function readAssistant(content: unknown): AssistantPart[] {
  if (typeof content === 'string') return readTexts(content);
  const parts: AssistantPart[] = [];
  let proof: Proof | undefined;
  for (const block of blocksOf(content)) {
    const next = proofOfNext(block);
    if (next !== undefined) {
      proof = next;
      const text = stringOf(block['thinking']);
      if (text !== '') parts.push({ type: 'reasoning', text });
      continue;
    }
    for (const part of readBlock(block)) {
      if (part.type === 'reasoning') parts.push(part);
      else {
        parts.push({ ...part, ...cacheMark(block), ...(proof === undefined ? {} : { proof }) });
        proof = undefined;
      }
    }
  }
  return parts;
}

/** Returns the proof of another vendor for the text or the call that follows this block. */
function proofOfNext(block: JsonObject): Proof | undefined {
  if (block['type'] !== 'thinking') return undefined;
  const placed = placedProof(stringOf(block['signature']));
  return placed?.of === 'next' ? placed.proof : undefined;
}

/** A turn may have results and what the user says: the results come first in every protocol. */
function readUser(content: unknown, param: string): readonly NeutralMessage[] | Refusal {
  if (typeof content === 'string') {
    return [{ role: 'user', parts: readTexts(content) }];
  }
  const results: ToolResultPart[] = [];
  const said: UserPart[] = [];
  for (const [index, block] of blocksOf(content).entries()) {
    const parts = readUserBlock(block, `${param}[${index}]`);
    if (!Array.isArray(parts)) return parts;
    for (const part of parts) {
      if (part.type === 'tool_result') results.push(part);
      else said.push(part);
    }
  }
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, parts: results }] : []),
    ...(said.length > 0 || results.length === 0 ? [{ role: 'user' as const, parts: said }] : []),
  ];
}

function blocksOf(content: unknown): JsonObject[] {
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}
