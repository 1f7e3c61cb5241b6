import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';

/** Smaller bodies are always admitted: a connection costs nearly as much. */
export const ROOM_BYTES_MIN = 16 * 1024;
/** A body arrives in seconds, or not at all. */
const RETRY_AFTER_MS = 1_000;

const SENDER_FULL = refuse(
  'concurrency_limit_exceeded',
  'You are sending too many large request bodies at once. Nothing was charged; send fewer of them at the same time, or try again as soon as Retry-After says.',
  { retryAfterMs: RETRY_AFTER_MS },
);
const ALL_FULL = refuse(
  'overloaded',
  'Too many large request bodies are arriving at once. Nothing was charged; try again as soon as Retry-After says.',
  { retryAfterMs: RETRY_AFTER_MS },
);

/**
 * Bounds the bytes of large bodies that arrive at one thread: those in memory, and by another quota
 * those on disk. A client may take as long for a body as its time-out allows, so without a bound a
 * few hundred connections of one customer would use up either.
 *
 * A sender may use as much as stays free: with k active senders each may use at most 1/(k+1) of the
 * quota. So some is always left for the next one, and nothing is reserved.
 */
export class BodyQuota {
  readonly #bytesMax: number;
  readonly #bytesBySender = new Map<string, number>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Reserves so many bytes, or returns why it cannot. */
  take(sender: string, bytes: number): Refusal | undefined {
    const known = this.#bytesBySender.get(sender) ?? 0;
    const own = known + bytes;
    if (own > this.#bytesMax - this.#bytes - bytes) return known > 0 ? SENDER_FULL : ALL_FULL;
    this.#bytes += bytes;
    this.#bytesBySender.set(sender, own);
    return undefined;
  }

  release(sender: string, bytes: number): void {
    const left = (this.#bytesBySender.get(sender) ?? 0) - bytes;
    this.#bytes -= bytes;
    if (left > 0) this.#bytesBySender.set(sender, left);
    else this.#bytesBySender.delete(sender);
  }
}
