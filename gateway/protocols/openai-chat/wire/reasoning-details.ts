import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { carryProof, type Proof } from '../../neutral-form/proofs/proof.ts';
import type { ReasoningPart } from '../../neutral-form/request.ts';
import { detailedReasoning, reasoningText } from './content-parts.ts';

/**
 * Returns what an assistant's message says of its reasoning. `reasoning_details` is OpenRouter's
 * list of signed or encrypted pieces, which some clients send back.
 * @param proofOf makes the proof of a signature or of encrypted reasoning; null where it is worth
 *   nothing
 */
export function readReasoning(
  message: JsonObject,
  proofOf: (value: string) => Proof | null,
): ReasoningPart[] {
  const content = reasoningText(message) || detailedReasoning(message);
  const signed: ReasoningPart[] = [];
  for (const detail of detailsOf(message)) {
    const proof = proofOf(stringOf(detail['signature']) || stringOf(detail['data']));
    if (proof === null) continue;
    signed.push({ type: 'reasoning', text: stringOf(detail['text']), proof });
  }
  const [first] = signed;
  if (first === undefined) return content === '' ? [] : [{ type: 'reasoning', text: content }];
  // A client may have kept the text in one place and the signature in the other.
  const isEmpty = signed.every(({ text }) => text === '');
  return isEmpty && first.proof?.redacted !== true
    ? [{ ...first, text: content }, ...signed.slice(1)]
    : signed;
}

/** `reasoning_details` for a client, of the reasoning that has a proof. */
export function reasoningDetails(parts: readonly ReasoningPart[]): JsonObject[] {
  return parts.flatMap(({ text, proof }, index) =>
    proof === undefined ? [] : [reasoningDetail(text, proof, index)],
  );
}

/** One entry of `reasoning_details`. */
export function reasoningDetail(text: string, proof: Proof, index: number): JsonObject {
  return proof.redacted === true
    ? { type: 'reasoning.encrypted', data: carryProof(proof), index }
    : { type: 'reasoning.text', text, signature: carryProof(proof), index };
}

/**
 * The same for an upstream's message. Its details are kept as they came: they are worth something
 * only whole, and only there.
 */
export function readSignedReasoning(message: JsonObject): ReasoningPart[] {
  const text = reasoningText(message) || detailedReasoning(message);
  const proof = detailsProof(detailsOf(message));
  if (proof !== undefined) return [{ type: 'reasoning', text, proof }];
  return text === '' ? [] : [{ type: 'reasoning', text }];
}

/** The proof that details are; undefined when none of them is signed or encrypted. */
export function detailsProof(details: readonly JsonObject[]): Proof | undefined {
  const signed = details.some(
    (detail) => stringOf(detail['signature']) !== '' || stringOf(detail['data']) !== '',
  );
  return signed ? { of: 'openai-chat', value: JSON.stringify(details) } : undefined;
}

/** The details that an upstream of this protocol once sent; none where the proof is of another. */
export function signedDetails({ of, value }: Proof): JsonObject[] {
  if (of !== 'openai-chat') return [];
  try {
    const details: unknown = JSON.parse(value);
    return Array.isArray(details) ? details.filter(isJsonObject) : [];
  } catch {
    return [];
  }
}

/** The entries that a message or delta has; none of anything else. */
export function detailsOf(message: JsonObject): JsonObject[] {
  const details: unknown = message['reasoning_details'];
  return Array.isArray(details) ? details.filter(isJsonObject) : [];
}
