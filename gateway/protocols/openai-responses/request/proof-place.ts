import { carriedProof, carryProof, type Proof } from '../../exchange-form/proof.ts';

/**
 * Responses have no place for the proof of a text or of a call: it travels as a reasoning item before
 * it, whose value begins with this.
 */
const NEXT_PART = 'next:';

/** The `encrypted_content` of a reasoning item: of the reasoning itself, or of the part behind it. */
export function encryptedContent(proof: Proof, of: 'reasoning' | 'next'): string {
  return (of === 'next' ? NEXT_PART : '') + carryProof(proof);
}

export interface PlacedProof {
  readonly of: 'reasoning' | 'next';
  readonly proof: Proof;
}

/** Reads what a client sent back; null when it is of no upstream that Weir translates for. */
export function placedProof(encrypted: string): PlacedProof | null {
  const next = encrypted.startsWith(NEXT_PART);
  const proof = carriedProof(next ? encrypted.slice(NEXT_PART.length) : encrypted);
  return proof === null ? null : { of: next ? 'next' : 'reasoning', proof };
}
