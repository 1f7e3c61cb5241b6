import type { AssistantPart, NeutralMessage, NeutralRequest } from '../request.ts';

/**
 * The request without what the account that made it alone can verify: signatures and encrypted
 * reasoning. Gemini's are of the model, whichever account asks, and stay.
 */
export function withoutProofs(request: NeutralRequest): NeutralRequest {
  return { ...request, messages: request.messages.map(withoutProofsIn) };
}

function withoutProofsIn(message: NeutralMessage): NeutralMessage {
  if (message.role !== 'assistant') return message;
  return { ...message, parts: message.parts.flatMap(withoutProof) };
}

function withoutProof(part: AssistantPart): AssistantPart[] {
  if (part.proof === undefined || part.proof.of === 'gemini') return [part];
  const { proof: _proof, ...rest } = part;
  // Encrypted reasoning is nothing without it.
  return rest.type === 'reasoning' && rest.text === '' ? [] : [rest];
}
