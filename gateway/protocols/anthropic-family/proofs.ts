import type { Proof } from '../neutral-form/proofs/proof.ts';

/**
 * The owner of Claude's signatures. Anthropic's guide to extended thinking says that they are valid
 * wherever a Claude is served: over its own interface, on Bedrock and on Vertex.
 */
export const OWN = 'anthropic-messages';

/** Reports whether a Claude made the proof, and can read it. */
export function isOwn(proof: Proof | undefined): proof is Proof {
  return proof?.of === OWN;
}
