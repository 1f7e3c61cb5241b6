import type { SettleRequest } from '../../ledger.ts';
import { PARTITION_COUNT } from '../../partition.ts';
import { SettlePage } from './settle-page.ts';

/** A settle that the store has acknowledged and that may not be in Postgres yet. */
export interface RetainedSettle {
  readonly request: SettleRequest;
  readonly partition: number;
  /** The epoch in which it was applied. */
  readonly epoch: number;
  /** Upper bound for the time part of its stream entry. */
  readonly streamMs: number;
  readonly settledAtMs: number;
  readonly balanceNanoUsd: number;
  readonly uncollectedNanoUsd: number;
  /** ";<id>,<startedAtMs>,<amountNanoUsd>" each, the format of the usage stream. */
  readonly subscriptions: string;
}

/** Bounds the memory during a long outage of Postgres: about 700 bytes each, 140 MB in all. */
const RETAINED_MAX = 200_000;
/** Empty pages kept for reuse, 32 KiB each. */
const SPARE_PAGES_MAX = 1_024;

/**
 * Keeps settles in stream order until they are known to be in Postgres, so that losing Redis, or
 * the end of its log, loses no usage record. One queue per partition, because their streams are
 * drained independently.
 */
export class Retention {
  readonly #queues: SettlePage[][] = Array.from({ length: PARTITION_COUNT }, () => []);
  readonly #spare: SettlePage[] = [];
  #count = 0;
  #dropped = 0;

  get count(): number {
    return this.#count;
  }

  /** Number dropped because of the limit. */
  get dropped(): number {
    return this.#dropped;
  }

  keep(settle: RetainedSettle): void {
    if (this.#count >= RETAINED_MAX) {
      this.#dropped += 1;
      return;
    }
    this.#count += 1;
    const queue = this.#queue(settle.partition);
    if (queue.at(-1)?.add(settle) === true) return;
    const page = this.#newPage(settle.request.recordJson.length);
    if (!page.add(settle)) throw new Error('an empty page has no room for a settle');
    queue.push(page);
  }

  /** Everything in the partition's stream before this time is in Postgres. */
  drained(partition: number, drainedMs: number): void {
    const queue = this.#queue(partition);
    for (let page = queue[0]; page !== undefined; page = queue[0]) {
      this.#count -= page.drop(drainedMs);
      if (page.count > 0) return;
      queue.shift();
      this.#putAway(page);
    }
  }

  /** Removes and returns settles of earlier epochs of the partition. */
  takeOlder(partition: number, epoch: number): RetainedSettle[] {
    // In stream order, so earlier epochs come first; usually there are none.
    if ((this.#queue(partition)[0]?.firstEpoch() ?? epoch) >= epoch) return [];
    const kept = this.take(partition);
    for (const settle of kept) if (settle.epoch >= epoch) this.keep(settle);
    return kept.filter((settle) => settle.epoch < epoch);
  }

  /** Removes and returns all settles of the partition. */
  take(partition: number): RetainedSettle[] {
    const pages = this.#queue(partition).splice(0);
    const taken = pages.flatMap((page) => page.read(partition));
    for (const page of pages) this.#putAway(page);
    this.#count -= taken.length;
    return taken;
  }

  #queue(partition: number): SettlePage[] {
    const queue = this.#queues[partition];
    if (queue === undefined) throw new Error(`there is no partition ${partition}`);
    return queue;
  }

  #newPage(recordUnits: number): SettlePage {
    const spare = this.#spare.at(-1);
    if (spare?.fits(recordUnits) !== true) return new SettlePage(recordUnits);
    this.#spare.pop();
    return spare;
  }

  #putAway(page: SettlePage): void {
    if (!page.reusable || this.#spare.length >= SPARE_PAGES_MAX) return;
    page.clear();
    this.#spare.push(page);
  }
}
