import type { RequestSummary } from '../platform/telemetry/request-log.ts';
import { requestMembers } from '../platform/telemetry/request-members.ts';
import { entryJson } from './entry-json.ts';
import { EntryLimits } from './entry-limits.ts';
import { FloodSums } from './flood-sums.ts';

/** Entries on their way from an HTTP thread to PostgreSQL. */
export interface EntryBatch {
  /** A JSON array in UTF-8, one entry a line. */
  readonly json: Uint8Array<ArrayBuffer>;
  readonly entries: number;
  /** Requests that are summed up in some of the entries. */
  readonly summed: number;
}

/** Entries travel together: a message, and a transaction, costs as much as many of them. */
const LINGER_MS = 1_000;
const BATCH_BYTES_MAX = 256 * 1024;
/** The most bytes of one UTF-16 code unit in UTF-8. */
const LETTER_BYTES_MAX = 3;
/** A bracket, or the two letters between entries. */
const MARGIN_BYTES = 4;
/** One row for each kind of request and minute of a flood. */
const SUMS_MS = 60_000;

/**
 * The request history of one HTTP thread: turns requests into entries and hands them on in batches.
 * It waits for nothing. Entries beyond the limits are summed up.
 */
export class RequestHistory {
  readonly #send: (batch: EntryBatch) => void;
  readonly #limits: EntryLimits;
  readonly #sums = new FloodSums();
  /**
   * Entries are written into bytes at once: as texts they would live until the batch is sent, and
   * each garbage collection would copy them.
   */
  readonly #bytes = Buffer.allocUnsafeSlow(BATCH_BYTES_MAX);
  #used = 0;
  #entries = 0;
  #summed = 0;
  #timer: NodeJS.Timeout | undefined;
  #sumsTimer: NodeJS.Timeout | undefined;

  /** @param entriesPerSecond in the long run; bursts may be longer */
  constructor(entriesPerSecond: number, send: (batch: EntryBatch) => void) {
    this.#send = send;
    this.#limits = new EntryLimits(entriesPerSecond);
  }

  /**
   * Takes a request that is over.
   * @param members the members of its log line, if one was written
   */
  add(trace: RequestSummary, nowMs: number, members?: string): void {
    const accountId = trace.principal === null ? null : trace.principal.accountId;
    if (!this.#limits.take(trace.tokens !== null, accountId, nowMs)) {
      this.#sums.add(trace, nowMs);
      this.#sumsTimer ??= setTimeout(() => this.#flushSums(), SUMS_MS);
      return;
    }
    const logged = members ?? requestMembers(trace, nowMs - trace.startedAtMs);
    this.#append(entryJson(trace, logged));
  }

  /**
   * Reports whether a request without a known key would get an entry, so that its sender has to be
   * found.
   */
  wantsUnauthenticated(nowMs: number): boolean {
    return this.#limits.hasRoomForUnauthenticated(nowMs);
  }

  /** Hands on what is left. */
  close(): void {
    this.#flushSums();
    this.#flush();
  }

  #append(entry: string): void {
    const bytesMax = entry.length * LETTER_BYTES_MAX + MARGIN_BYTES;
    if (this.#used + bytesMax > BATCH_BYTES_MAX) this.#flush();
    // None is: its texts are bounded.
    if (bytesMax > BATCH_BYTES_MAX) return;
    this.#used += this.#bytes.write(this.#entries === 0 ? '[' : ',\n', this.#used, 'latin1');
    this.#used += this.#bytes.write(entry, this.#used);
    this.#entries += 1;
    // Not unreferenced: a thread that ends hands its last entries on.
    this.#timer ??= setTimeout(() => this.#flush(), LINGER_MS);
  }

  #flushSums(): void {
    clearTimeout(this.#sumsTimer);
    this.#sumsTimer = undefined;
    this.#summed += this.#sums.requests;
    for (const entry of this.#sums.take()) this.#append(entry);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#entries === 0) return;
    this.#used += this.#bytes.write(']', this.#used, 'latin1');
    const json = new Uint8Array(this.#used);
    json.set(this.#bytes.subarray(0, this.#used));
    const batch = { json, entries: this.#entries, summed: this.#summed };
    this.#used = 0;
    this.#entries = 0;
    this.#summed = 0;
    this.#send(batch);
  }
}
