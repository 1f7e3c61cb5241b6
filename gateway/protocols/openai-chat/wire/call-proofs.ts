import { steadyNowMs } from '../../../platform/clock/steady-clock.ts';
import { carriedProof, type Proof } from '../../neutral-form/proofs/proof.ts';
import { ProofMemory } from '../../neutral-form/proofs/proof-memory.ts';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import { thoughtSignatureOf } from './extra-content.ts';

interface Call {
  readonly id: string;
  readonly name: string;
}

/** Few chat clients send `extra_content` back. */
const memory = new ProofMemory();

/** Remembers the proof of a call that goes to a client. */
export function rememberCallProof(call: Call, proof: Proof): void {
  // Others are bound to an account, and a request without them is legal.
  if (proof.of === 'gemini') memory.remember(call, proof, steadyNowMs());
}

/** The proof of a call that a client sends back: its own copy, or the one that is remembered. */
export function sentCallProof(call: JsonObject, named: Call): Proof | null {
  return carriedProof(thoughtSignatureOf(call)) ?? memory.recall(named, steadyNowMs());
}
