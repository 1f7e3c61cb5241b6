import { carriedProof, carryProof, type Proof } from './proof.ts';

/**
 * Some protocols have a place for the proof of reasoning only. That of a text or of a call then
 * travels as reasoning before it, whose opaque value begins with this.
 */
const NEXT_PART = 'next:';

/** The owner of a proof: the reasoning itself, or the part that follows it. */
export type ProofPlace = 'reasoning' | 'next';

export interface PlacedProof {
  readonly of: ProofPlace;
  readonly proof: Proof;
}

/** Returns the proof as an opaque text that a client keeps with its reasoning. */
export function carryPlacedProof(proof: Proof, of: ProofPlace): string {
  return (of === 'next' ? NEXT_PART : '') + carryProof(proof);
}

/** Reads what a client sent back; null when it is of no upstream that Weir translates for. */
export function placedProof(text: string): PlacedProof | null {
  const next = text.startsWith(NEXT_PART);
  const proof = carriedProof(next ? text.slice(NEXT_PART.length) : text);
  return proof === null ? null : { of: next ? 'next' : 'reasoning', proof };
}
