import { randomUUID } from 'node:crypto';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type { NeutralReply } from '../../neutral-form/reply.ts';
import type { GeminiRequest } from '../from-client/parse-request.ts';
import { finishReason } from '../wire/end-reason.ts';
import { groundingMember, type GroundedText } from '../wire/grounding.ts';
import { callPart, madeImagePart, signed } from '../wire/write-parts.ts';
import { usageObject } from '../usage.ts';

/** A whole reply for a Gemini client. */
export function writeReply(
  reply: NeutralReply,
  request: GeminiRequest,
  usage: TokenCounts | null,
): Buffer {
  const parts = writeParts(reply, request);
  const content = { role: 'model', parts };
  const written = {
    candidates: [
      { content, finishReason: finishReason(reply.end), index: 0, ...grounding(reply, parts) },
    ],
    usageMetadata: usage === null ? undefined : usageObject(usage),
    modelVersion: request.model,
    responseId: reply.id === '' ? randomUUID() : reply.id,
  };
  return Buffer.from(JSON.stringify(written));
}

function grounding(reply: NeutralReply, parts: readonly JsonObject[]): JsonObject {
  const citations = reply.parts.flatMap((part) =>
    part.type === 'text' ? (part.citations ?? []) : [],
  );
  if (citations.length === 0) return {};
  const texts: GroundedText[] = [];
  let from = 0;
  for (const [index, { text, thought }] of parts.entries()) {
    if (typeof text !== 'string' || thought === true) continue;
    texts.push({ index, from, text });
    from += text.length;
  }
  return groundingMember(citations, texts);
}

/**
 * Clients send a signature back where it is on a call, and not always the thoughts: the proof of
 * reasoning goes on the call that follows it.
 */
function writeParts({ parts, refusal }: NeutralReply, request: GeminiRequest): JsonObject[] {
  const written: JsonObject[] = [];
  let proof: Proof | undefined;
  for (const part of parts) {
    switch (part.type) {
      case 'reasoning':
        if (request.includeThoughts && part.text !== '') {
          written.push({ text: part.text, thought: true });
        }
        proof = part.proof ?? proof;
        break;
      case 'text':
        if (part.text !== '') written.push({ text: part.text, ...signed(part.proof) });
        break;
      case 'image':
        written.push({ ...madeImagePart(part), ...signed(part.proof) });
        break;
      case 'tool_call':
        written.push(callPart(part, part.proof ?? proof));
        proof = undefined;
    }
  }
  if (refusal !== undefined) written.push({ text: refusal });
  if (proof !== undefined || written.length === 0) written.push({ text: '', ...signed(proof) });
  return written;
}
