import { carriedProof, carryProof, type Proof } from '../../neutral-form/proofs/proof.ts';
import { stringOf } from '../../../platform/json/json-value.ts';

/**
 * The signature that Google documents for a call that no Gemini model has made; Gemini 3 accepts it
 * in place of a real one. https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const DUMMY_SIGNATURE = 'skip_thought_signature_validator';

/** The prefix of a carried proof of another vendor. */
const CARRIED = 'weir1.';

/**
 * Returns the proof that a `thoughtSignature` is; null when there is none, or the stand-in for one.
 */
export function proofOf(signature: unknown): Proof | null {
  const value = stringOf(signature);
  if (value === '' || value === DUMMY_SIGNATURE) return null;
  return carriedIn(value) ?? { of: 'gemini', value };
}

/**
 * The field is of bytes: some SDKs decode it, and write it again in the other alphabet of base64.
 */
function carriedIn(value: string): Proof | null {
  const text = Buffer.from(value, 'base64').toString('utf8');
  return text.startsWith(CARRIED) ? carriedProof(text) : null;
}

/** Returns the `thoughtSignature` that carries a proof through a client of this protocol. */
export function signatureOf(proof: Proof): string {
  return proof.of === 'gemini' ? proof.value : Buffer.from(carryProof(proof)).toString('base64');
}
