import type { Payer } from '../../ledger.ts';
import type { RetainedSettle } from './retention.ts';

/** About fifty settles. */
const PAGE_BYTES = 32 * 1024;
const SETTLES_MAX = 64;
const REQUEST_ID_BYTES = 36;
/** Maximum number of UTF-8 bytes per UTF-16 unit. */
const UTF8_BYTES_PER_UNIT_MAX = 3;

/** Numbers kept per settle, in this order. */
const ACTUAL_NANO_USD = 0;
const TOKENS = 1;
const EPOCH = 2;
const STREAM_MS = 3;
const SETTLED_AT_MS = 4;
const BALANCE_NANO_USD = 5;
const UNCOLLECTED_NANO_USD = 6;
const START = 7;
const END = 8;
const NUMBERS = 9;

/**
 * Settles of one partition as bytes and numbers. As objects and strings they would survive several
 * young-generation collections, be copied by each, and be collected from the old generation in the
 * end: a tenth of all CPU time at full load. A page is filled, drained and reused, and the
 * collector never visits its content.
 */
export class SettlePage {
  readonly #bytes: Buffer;
  readonly #numbers = new Float64Array(SETTLES_MAX * NUMBERS);
  /** Few and long-lived objects: a payer pays for many requests. */
  readonly #payers: (Payer | undefined)[] = new Array<undefined>(SETTLES_MAX).fill(undefined);
  readonly #subscriptions: string[] = new Array<string>(SETTLES_MAX).fill('');
  #head = 0;
  #count = 0;
  #bytesUsed = 0;

  /** @param recordUnits length of the first record, which always fits */
  constructor(recordUnits: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(PAGE_BYTES, bytesNeeded(recordUnits)));
  }

  /** Settles that are not drained. */
  get count(): number {
    return this.#count - this.#head;
  }

  /** False for a page that was made for a huge record; it is not reused. */
  get reusable(): boolean {
    return this.#bytes.length === PAGE_BYTES;
  }

  /** True when a record of this length fits an empty page. */
  fits(recordUnits: number): boolean {
    return bytesNeeded(recordUnits) <= this.#bytes.length;
  }

  /** Returns false when the page is full. */
  add(settle: RetainedSettle): boolean {
    const { request } = settle;
    const at = this.#count;
    const start = this.#bytesUsed;
    const needed = bytesNeeded(request.recordJson.length);
    if (at === SETTLES_MAX || start + needed > this.#bytes.length) return false;
    this.#bytes.write(request.requestId, start, 'latin1');
    const end =
      start +
      REQUEST_ID_BYTES +
      this.#bytes.write(request.recordJson, start + REQUEST_ID_BYTES, 'utf8');
    const from = at * NUMBERS;
    const numbers = this.#numbers;
    numbers[from + ACTUAL_NANO_USD] = request.actualNanoUsd;
    numbers[from + TOKENS] = request.tokens;
    numbers[from + EPOCH] = settle.epoch;
    numbers[from + STREAM_MS] = settle.streamMs;
    numbers[from + SETTLED_AT_MS] = settle.settledAtMs;
    numbers[from + BALANCE_NANO_USD] = settle.balanceNanoUsd;
    numbers[from + UNCOLLECTED_NANO_USD] = settle.uncollectedNanoUsd;
    numbers[from + START] = start;
    numbers[from + END] = end;
    this.#payers[at] = request.payer;
    this.#subscriptions[at] = settle.subscriptions;
    this.#count = at + 1;
    this.#bytesUsed = end;
    return true;
  }

  /**
   * Drops the settles at the front that were written to the stream before this time; returns how
   * many.
   */
  drop(drainedMs: number): number {
    const from = this.#head;
    while (this.#head < this.#count && this.#number(this.#head, STREAM_MS) < drainedMs) {
      this.#payers[this.#head] = undefined;
      this.#head += 1;
    }
    return this.#head - from;
  }

  /** The epoch of the oldest settle; undefined when there is none. */
  firstEpoch(): number | undefined {
    return this.count === 0 ? undefined : this.#number(this.#head, EPOCH);
  }

  read(partition: number): RetainedSettle[] {
    const settles: RetainedSettle[] = [];
    for (let at = this.#head; at < this.#count; at += 1) {
      const payer = this.#payers[at];
      if (payer === undefined) throw new Error('a retained settle has no payer');
      const record = this.#number(at, START) + REQUEST_ID_BYTES;
      settles.push({
        request: {
          requestId: this.#bytes.toString('latin1', record - REQUEST_ID_BYTES, record),
          payer,
          actualNanoUsd: this.#number(at, ACTUAL_NANO_USD),
          tokens: this.#number(at, TOKENS),
          recordJson: this.#bytes.toString('utf8', record, this.#number(at, END)),
        },
        partition,
        epoch: this.#number(at, EPOCH),
        streamMs: this.#number(at, STREAM_MS),
        settledAtMs: this.#number(at, SETTLED_AT_MS),
        balanceNanoUsd: this.#number(at, BALANCE_NANO_USD),
        uncollectedNanoUsd: this.#number(at, UNCOLLECTED_NANO_USD),
        subscriptions: this.#subscriptions[at] ?? '',
      });
    }
    return settles;
  }

  /** Resets an emptied page for reuse. */
  clear(): void {
    this.#payers.fill(undefined, 0, this.#count);
    this.#head = 0;
    this.#count = 0;
    this.#bytesUsed = 0;
  }

  #number(at: number, field: number): number {
    return this.#numbers[at * NUMBERS + field] ?? 0;
  }
}

function bytesNeeded(recordUnits: number): number {
  return REQUEST_ID_BYTES + recordUnits * UTF8_BYTES_PER_UNIT_MAX;
}
