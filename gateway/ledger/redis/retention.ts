import type { SettleRequest } from '../ledger.ts';
import { PARTITION_COUNT } from '../partition.ts';

/** A settle that the store has acknowledged but Postgres may not have yet. */
export interface RetainedSettle {
  readonly request: SettleRequest;
  readonly partition: number;
  /** The life of the store in which it was applied. */
  readonly epoch: number;
  /** No stream entry of it has a later time part. */
  readonly streamMs: number;
  readonly settledAtMs: number;
  readonly balanceNanoUsd: number;
  readonly uncollectedNanoUsd: number;
  /** ";<id>,<startedAtMs>,<amountNanoUsd>" each, as the usage stream has it. */
  readonly subscriptions: string;
}

/** Bounds the memory this takes to a few hundred bytes each while Postgres is down for long. */
const RETAINED_MAX = 200_000;

/**
 * Keeps what was settled until it is known to be in Postgres, in the order of the stream, so that the
 * loss of Redis or of the tail of its log loses no bill. One queue per partition, because each partition's
 * stream is drained at its own pace.
 */
export class Retention {
  readonly #queues: RetainedSettle[][] = Array.from({ length: PARTITION_COUNT }, () => []);
  /** Entries before this index are drained; the array is cut when it is worth it. */
  readonly #heads: number[] = Array.from({ length: PARTITION_COUNT }, () => 0);
  #count = 0;
  #dropped = 0;

  get count(): number {
    return this.#count;
  }

  /** How many were given up because the bound was reached. */
  get dropped(): number {
    return this.#dropped;
  }

  keep(settle: RetainedSettle): void {
    if (this.#count >= RETAINED_MAX) {
      this.#dropped += 1;
      return;
    }
    this.#queues[settle.partition]?.push(settle);
    this.#count += 1;
  }

  /** Everything of the partition whose stream entries are older than this is in Postgres. */
  drained(partition: number, drainedMs: number): void {
    const queue = this.#queues[partition] ?? [];
    const from = this.#heads[partition] ?? 0;
    let head = from;
    while (head < queue.length && (queue[head]?.streamMs ?? 0) < drainedMs) head += 1;
    if (head === from) return;
    this.#count -= head - from;
    if (head === queue.length || head > 1024) {
      queue.splice(0, head);
      head = 0;
    }
    this.#heads[partition] = head;
  }

  /** Takes out what was settled in an earlier epoch of the partition than this. */
  takeOlder(partition: number, epoch: number): RetainedSettle[] {
    const queue = this.#queues[partition] ?? [];
    const head = this.#heads[partition] ?? 0;
    // In the order of the stream, so earlier epochs come first; most often there are none.
    if ((queue[head]?.epoch ?? epoch) >= epoch) return [];
    const kept = this.take(partition);
    for (const settle of kept) if (settle.epoch >= epoch) this.keep(settle);
    return kept.filter((settle) => settle.epoch < epoch);
  }

  /** Takes out everything that is kept for the partition. */
  take(partition: number): RetainedSettle[] {
    const taken = (this.#queues[partition] ?? []).slice(this.#heads[partition]);
    this.#queues[partition] = [];
    this.#heads[partition] = 0;
    this.#count -= taken.length;
    return taken;
  }
}
