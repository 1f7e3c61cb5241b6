import type { SettleRequest } from '../../ledger.ts';
import { PARTITION_COUNT } from '../../partition.ts';
import { SettlePage } from './settle-page.ts';

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

/** Bounds the memory this takes while Postgres is down for long: about 700 bytes each, 140 MB in all. */
const RETAINED_MAX = 200_000;
/** Emptied pages kept to be filled again, 32 KiB each. */
const SPARE_PAGES_MAX = 1_024;

/**
 * Keeps what was settled until it is known to be in Postgres, in the order of the stream, so that the
 * loss of Redis or of the tail of its log loses no bill. One queue per partition, because each partition's
 * stream is drained at its own pace.
 */
export class Retention {
  readonly #queues: SettlePage[][] = Array.from({ length: PARTITION_COUNT }, () => []);
  readonly #spare: SettlePage[] = [];
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
    this.#count += 1;
    const queue = this.#queue(settle.partition);
    if (queue.at(-1)?.add(settle) === true) return;
    const page = this.#newPage(settle.request.recordJson.length);
    if (!page.add(settle)) throw new Error('an empty page has no room for a settle');
    queue.push(page);
  }

  /** Everything of the partition whose stream entries are older than this is in Postgres. */
  drained(partition: number, drainedMs: number): void {
    const queue = this.#queue(partition);
    for (let page = queue[0]; page !== undefined; page = queue[0]) {
      this.#count -= page.drop(drainedMs);
      if (page.count > 0) return;
      queue.shift();
      this.#putAway(page);
    }
  }

  /** Takes out what was settled in an earlier epoch of the partition than this. */
  takeOlder(partition: number, epoch: number): RetainedSettle[] {
    // In the order of the stream, so earlier epochs come first; most often there are none.
    if ((this.#queue(partition)[0]?.firstEpoch() ?? epoch) >= epoch) return [];
    const kept = this.take(partition);
    for (const settle of kept) if (settle.epoch >= epoch) this.keep(settle);
    return kept.filter((settle) => settle.epoch < epoch);
  }

  /** Takes out everything that is kept for the partition. */
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
