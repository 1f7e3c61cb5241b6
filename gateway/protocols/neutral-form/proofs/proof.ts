/**
 * Data that a vendor signs or encrypts so that it can verify it in the next turn: a thinking
 * signature, encrypted reasoning, a thought signature. It means nothing to another vendor. A client
 * of another protocol keeps it in the place that its own protocol has for such a thing, with a mark
 * that names its vendor, and sends it back unchanged.
 */
import type { UpstreamProtocolId } from '../../protocol.ts';

export interface Proof {
  /** The protocol of the upstream that made it. */
  readonly of: UpstreamProtocolId;
  readonly value: string;
  /** The reasoning itself is in the value, encrypted. */
  readonly redacted?: boolean;
}

const MARK = 'weir1';
/** Signatures are base64, which has no dot. */
const SEPARATOR = '.';

/** Returns the proof as an opaque text for a client of another protocol. */
export function carryProof({ of, value, redacted }: Proof): string {
  return [MARK, of, redacted === true ? 'r' : 's', value].join(SEPARATOR);
}

/**
 * Returns the proof that a client sent back; null when the text is of no upstream reached through
 * Weir.
 */
export function carriedProof(text: string): Proof | null {
  const [mark, of, kind, ...rest] = text.split(SEPARATOR);
  if (mark !== MARK || of === undefined || rest.length === 0) return null;
  return { of: of as UpstreamProtocolId, value: rest.join(SEPARATOR), redacted: kind === 'r' };
}
