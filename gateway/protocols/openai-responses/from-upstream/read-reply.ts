import { parseOwnObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import { objectsOf } from '../../../tokens/prompt-counter.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type { NeutralReply } from '../../neutral-form/reply.ts';
import type { AssistantPart, TextPart } from '../../neutral-form/request.ts';
import { readUrlCitations } from '../../openai-family/url-citations.ts';
import { endReason } from '../wire/end-reason.ts';
import { readMadeImage } from '../wire/images.ts';
import { isResponse } from './responses-reply.ts';
import { readResponseUsage } from '../usage.ts';

/** Reads an upstream's whole response into the neutral form; undefined when it is none. */
export function readReply(body: Buffer): NeutralReply | undefined {
  const response = parseOwnObject(withoutByteOrderMark(body));
  if (response === undefined || !isResponse(response)) return undefined;
  const items = objectsOf(response['output']);
  const parts = readItems(items);
  const refusal = items.map(refusalOf).join('');
  const callsTools = parts.some(({ type }) => type === 'tool_call');
  const reply = {
    id: stringOf(response['id']),
    parts,
    end: endReason(response, callsTools),
    usage: readResponseUsage(response),
  };
  return refusal === '' ? reply : { ...reply, refusal };
}

function readItems(items: readonly JsonObject[]): AssistantPart[] {
  const parts: AssistantPart[] = [];
  let characters = 0;
  for (const item of items) {
    for (const part of readItem(item, characters)) {
      if (part.type === 'text') characters += part.text.length;
      parts.push(part);
    }
  }
  return parts;
}

/**
 * Reads an item of an upstream's output into parts of the neutral form.
 * @param from characters of text before it
 */
export function readItem(item: JsonObject, from = 0): AssistantPart[] {
  switch (item['type']) {
    case 'message':
      return readTexts(item['content'], from);
    case 'reasoning': {
      const text = [...textsIn(item['summary']), ...textsIn(item['content'])].join('\n\n');
      const proof = reasoningProof(item);
      if (proof === undefined) return text === '' ? [] : [{ type: 'reasoning', text }];
      return [{ type: 'reasoning', text, proof }];
    }
    case 'function_call':
      return [{ ...callOf(item), input: stringOf(item['arguments']) || '{}', freeForm: false }];
    case 'custom_tool_call':
      return [{ ...callOf(item), input: stringOf(item['input']), freeForm: true }];
    case 'image_generation_call':
      return readMadeImage(item);
    default:
      return [];
  }
}

/** The proof of reasoning, which the upstream wants back in the next turn. */
export function reasoningProof(item: JsonObject): Proof | undefined {
  const value = stringOf(item['encrypted_content']);
  return value === '' ? undefined : { of: 'openai-responses', value };
}

function callOf(item: JsonObject) {
  const id = stringOf(item['call_id']) || stringOf(item['id']);
  return { type: 'tool_call', id, name: stringOf(item['name']) } as const;
}

function readTexts(content: unknown, from: number): TextPart[] {
  const texts: TextPart[] = [];
  let at = from;
  for (const part of objectsOf(content)) {
    const text = stringOf(part['text']);
    const citations = readUrlCitations(part['annotations'], at);
    at += text.length;
    if (text === '') continue;
    texts.push({ type: 'text', text, ...(citations.length > 0 && { citations }) });
  }
  return texts;
}

function textsIn(parts: unknown): string[] {
  return objectsOf(parts)
    .map((part) => stringOf(part['text']))
    .filter((text) => text !== '');
}

function refusalOf(item: JsonObject): string {
  return objectsOf(item['content'])
    .map((part) => stringOf(part['refusal']))
    .join('');
}
