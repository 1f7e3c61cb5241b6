import { randomUUID } from 'node:crypto';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type { NeutralReply } from '../../neutral-form/reply.ts';
import type { AssistantPart, ReasoningPart } from '../../neutral-form/request.ts';
import type { MessagesRequest } from '../from-client/parse-request.ts';
import { writeCitation } from '../wire/citations.ts';
import { askedEnd, stopReasonOf } from '../wire/end-reason.ts';
import { imageNote } from './image-note.ts';
import { isOwn } from '../../anthropic-family/proofs.ts';
import { toolInput } from '../../anthropic-family/tool-input.ts';
import { signatureOf } from '../wire/proofs.ts';
import { toolUseId } from '../wire/tool-use.ts';
import { usageObject } from '../usage.ts';

const NO_TOKENS: TokenCounts = {
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
};

/** A whole reply for a client of Messages. */
export function writeReply(
  reply: NeutralReply,
  request: MessagesRequest,
  usage: TokenCounts | null,
): Buffer {
  const { parts, refusal, end } = reply;
  const { reason, stopSequence } = askedEnd(
    { ...reply, reason: refusal === undefined ? end : 'content_filter' },
    request.stopSequences,
  );
  const content = parts.flatMap(writePart);
  if (refusal !== undefined) content.push({ type: 'text', text: refusal });
  const callsTools = parts.some(({ type }) => type === 'tool_call');
  const message = {
    ...messageFrame(reply.id, request.model),
    content,
    stop_reason: stopReasonOf(reason, callsTools),
    stop_sequence: stopSequence,
    usage: usageObject(usage ?? NO_TOKENS),
  };
  return Buffer.from(JSON.stringify(message));
}

/** The members around a message's content. */
export function messageFrame(id: string, model: string): JsonObject {
  const own = /^msg_[\w-]+$/.test(id) ? id : `msg_${randomUUID().replaceAll('-', '')}`;
  return { id: own, type: 'message', role: 'assistant', model };
}

/** Empty text blocks are none: Anthropic refuses them when they come back. */
function writePart(part: AssistantPart): JsonObject[] {
  switch (part.type) {
    case 'text': {
      const { text, proof, citations = [] } = part;
      if (text === '') return [];
      const cited = citations.length === 0 ? {} : { citations: citations.map(writeCitation) };
      return [...proofBefore(proof), { type: 'text', text, ...cited }];
    }
    case 'image':
      return [{ type: 'text', text: imageNote(part.source) }];
    case 'reasoning':
      return [writeReasoning(part)];
    case 'tool_call': {
      const { id, name, input, freeForm, proof } = part;
      const call = { id: toolUseId(id), name, input: toolInput(input, freeForm) };
      return [...proofBefore(proof), { type: 'tool_use', ...call }];
    }
  }
}

/** Texts and calls have no signature here: it comes before them, as that of an empty thought. */
function proofBefore(proof: Proof | undefined): JsonObject[] {
  if (proof === undefined) return [];
  return [{ type: 'thinking', thinking: '', signature: signatureOf(proof, 'next') }];
}

function writeReasoning({ text, proof }: ReasoningPart): JsonObject {
  return isOwn(proof) && proof.redacted === true
    ? { type: 'redacted_thinking', data: proof.value }
    : { type: 'thinking', thinking: text, signature: signatureOf(proof) };
}
