import { parseOwnObject, type JsonObject } from '../../../platform/json/json-value.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type { ImagePart, ToolCallPart } from '../../neutral-form/request.ts';
import { signatureOf } from './signature.ts';

/** Returns the member that carries a proof; nothing without one. */
export function signed(proof: Proof | undefined): JsonObject {
  return proof === undefined ? {} : { thoughtSignature: signatureOf(proof) };
}

/** Returns an image as the part of a reply; of one that has an address, the address as text. */
export function madeImagePart({ source }: Pick<ImagePart, 'source'>): JsonObject {
  return 'url' in source
    ? { text: source.url }
    : { inlineData: { mimeType: source.mediaType, data: source.base64 } };
}

/** Returns a call as the part of a reply. What is not JSON is kept as it is under `_raw`. */
export function callPart(call: Omit<ToolCallPart, 'type'>, proof = call.proof): JsonObject {
  const { id, name } = call;
  return { functionCall: { id, name, args: argsOf(call) }, ...signed(proof) };
}

function argsOf({ input, freeForm }: Pick<ToolCallPart, 'input' | 'freeForm'>): JsonObject {
  if (freeForm) return { input };
  if (input.trim() === '') return {};
  return parseOwnObject(Buffer.from(input)) ?? { _raw: input };
}
