import type { FaultAccount } from '../seed-payers.ts';

export type MediaKind = 'image' | 'speech' | 'transcript' | 'rerank';

/** An account that buys one kind of thing. */
export interface MediaAccount extends FaultAccount {
  readonly kind: MediaKind;
}
