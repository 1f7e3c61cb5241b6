import type { Proof } from './proof.ts';

/** A working day and the night after it. */
const KEPT_MS = 24 * 3_600_000;
const ENTRIES_MAX = 20_000;
/** Limit of all proofs of a thread; one of long reasoning has some kilobytes. */
const CHARACTERS_MAX = 16 * 1024 * 1024;
/** Larger ones would drive out too many others. */
const PROOF_CHARACTERS_MAX = 64 * 1024;
/** Shorter ids are counted up by some upstreams, and occur in many conversations. */
const ID_CHARACTERS_MIN = 12;

interface Remembered<Kept> {
  readonly proof: Kept;
  readonly untilMs: number;
}

/**
 * Proofs of calls, or what else a reply says of them, for clients that keep nothing of a call but
 * its id, its name and its arguments.
 * Each thread remembers its own, for a limited time and within limits; who finds none does without.
 */
export class ProofMemory<Kept extends { readonly value: string } = Proof> {
  readonly #entries = new Map<string, Remembered<Kept>>();
  #characters = 0;

  /** @param call whose id is unique */
  remember(call: { readonly id: string; readonly name: string }, proof: Kept, nowMs: number): void {
    if (call.id.length < ID_CHARACTERS_MIN || proof.value.length > PROOF_CHARACTERS_MAX) return;
    const key = keyOf(call);
    this.#forget(key);
    this.#entries.set(key, { proof, untilMs: nowMs + KEPT_MS });
    this.#characters += proof.value.length;
    // The oldest come first.
    for (const [oldest, { untilMs }] of this.#entries) {
      const isFull = this.#entries.size > ENTRIES_MAX || this.#characters > CHARACTERS_MAX;
      if (!isFull && untilMs > nowMs) break;
      this.#forget(oldest);
    }
  }

  recall(call: { readonly id: string; readonly name: string }, nowMs: number): Kept | null {
    const found = this.#entries.get(keyOf(call));
    return found === undefined || found.untilMs <= nowMs ? null : found.proof;
  }

  get size(): number {
    return this.#entries.size;
  }

  #forget(key: string): void {
    const found = this.#entries.get(key);
    if (found === undefined) return;
    this.#characters -= found.proof.value.length;
    this.#entries.delete(key);
  }
}

function keyOf({ id, name }: { readonly id: string; readonly name: string }): string {
  return `${id}\n${name}`;
}
