import { OWN as CLAUDE } from '../../anthropic-family/proofs.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';

/** Owner of reasoning that Bedrock returns encrypted. */
const OWN = 'bedrock-converse';

/** Returns the proof in a reasoning text: only Claude signs one. Null when there is none. */
export function signatureProof(signature: string): Proof | null {
  return signature === '' ? null : { of: CLAUDE, value: signature };
}

/** @param base64 the encrypted reasoning */
export function redactedProof(base64: string): Proof | null {
  return base64 === '' ? null : { of: OWN, value: base64, redacted: true };
}

/** Reports whether encrypted reasoning came over Converse, where alone it can be read. */
export function isRedactedHere(proof: Proof): boolean {
  return proof.of === OWN && proof.redacted === true;
}

/** Reports whether a Claude signed the reasoning, wherever it was served. */
export function isClaudeSignature(proof: Proof): boolean {
  return proof.of === CLAUDE && proof.redacted !== true;
}
