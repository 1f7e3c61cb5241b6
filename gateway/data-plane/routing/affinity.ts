const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const UINT32 = 2 ** 32;

/**
 * Returns a number above 0 and below 1 that is always the same for a conversation and a candidate
 * (FNV-1a).
 */
function fraction(conversation: string, candidate: string): number {
  let hash = FNV_OFFSET;
  for (const text of [conversation, '\n', candidate]) {
    for (let index = 0; index < text.length; index += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
    }
  }
  // FNV's last characters hardly reach its high bits, and candidates often differ in these alone.
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  hash ^= hash >>> 16;
  return ((hash >>> 0) + 0.5) / UINT32;
}

/**
 * Returns the score of a candidate for a conversation; the highest wins (rendezvous hashing). A
 * conversation stays at its candidate while that can serve it, without any stored state, and moves
 * to the next one otherwise. Candidates get conversations in proportion to their weights.
 */
export function affinity(conversation: string, candidate: string, weight = 1): number {
  return -weight / Math.log(fraction(conversation, candidate));
}
