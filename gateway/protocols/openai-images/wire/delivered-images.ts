import type { TokenCounts } from '@weir/shared/watch/usage-record';

/** Images that were delivered, which no text tells of. */
export interface DeliveredImages {
  /** Counts them where the upstream reports nothing. */
  countDelivered(): TokenCounts;
}
