import { OWN } from '../../anthropic-family/proofs.ts';
import {
  carryPlacedProof,
  placedProof,
  type ProofPlace,
} from '../../neutral-form/proofs/proof-place.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';

/**
 * Returns the proof in a thinking block of a client: Anthropic's own as it is, or that of another
 * vendor which it was given to keep. Null when the block has none.
 */
export function proofOf(signature: string, redacted = false): Proof | null {
  if (signature === '') return null;
  const carried = placedProof(signature);
  if (carried !== null) return carried.proof;
  return { of: OWN, value: signature, ...(redacted ? { redacted } : {}) };
}

/**
 * Reports whether Anthropic would refuse a block with this signature: it is another vendor's, or
 * none.
 */
export function isForeignSignature(signature: string): boolean {
  return proofOf(signature)?.of !== OWN;
}

/** Returns what a client of Messages keeps of a proof of any vendor. */
export function signatureOf(proof: Proof | undefined, place: ProofPlace = 'reasoning'): string {
  if (proof === undefined) return '';
  return proof.of === OWN ? proof.value : carryPlacedProof(proof, place);
}
