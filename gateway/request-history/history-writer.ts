import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { steadyNowMs } from '../platform/clock/steady-clock.ts';
import { causeOf } from '../platform/errors/cause-of.ts';
import { isDataError } from '../stores/postgres/is-connection-error.ts';
import { queryWithin } from '../stores/postgres/connect.ts';
import type { EntryBatch } from './request-history.ts';

/**
 * Entries that wait for PostgreSQL; beyond it the newest are dropped, so that memory has a bound.
 */
const WAITING_BYTES_MAX = 32 * 1024 * 1024;
/** Many times what a batch takes. */
const WRITE_TIMEOUT_MS = 10_000;
const BACKOFF_MS_MIN = 500;
const BACKOFF_MS_MAX = 10_000;

const ENTER = `select enter_requests(convert_from($1::bytea, 'UTF8')::json) as entered`;

export interface HistoryLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Counts since the start of the process. */
export interface HistoryStatus {
  /** Entries that are in PostgreSQL. */
  readonly written: number;
  /** Requests that have no entry of their own, as too many came. */
  readonly summed: number;
  /** Entries that are lost: PostgreSQL was away for too long, or would not take them. */
  readonly dropped: number;
  readonly waitingBytes: number;
}

export interface HistoryWriter {
  add(batch: EntryBatch): void;
  status(): HistoryStatus;
  /** Writes what waits, for so long at most. */
  stop(withinMs: number): Promise<void>;
}

/**
 * Writes the request history of this process to PostgreSQL. It may lose what no bill depends on: at
 * a crash the last second, and entries that come while PostgreSQL is away and the queue is full.
 */
export function startHistoryWriter(
  pool: Pick<pg.Pool, 'query'>,
  logger: HistoryLog,
): HistoryWriter {
  return new Writer(pool, logger);
}

class Writer implements HistoryWriter {
  readonly #pool: Pick<pg.Pool, 'query'>;
  readonly #logger: HistoryLog;
  readonly #queue: EntryBatch[] = [];
  #waitingBytes = 0;
  #written = 0;
  #summed = 0;
  #dropped = 0;
  #running: Promise<void> | null = null;
  #isFailing = false;
  #endAtMs = Infinity;
  readonly #stopped = new AbortController();

  constructor(pool: Pick<pg.Pool, 'query'>, logger: HistoryLog) {
    this.#pool = pool;
    this.#logger = logger;
  }

  add(batch: EntryBatch): void {
    this.#summed += batch.summed;
    if (this.#waitingBytes + batch.json.byteLength > WAITING_BYTES_MAX) {
      this.#dropped += batch.entries;
      return;
    }
    this.#queue.push(batch);
    this.#waitingBytes += batch.json.byteLength;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  status(): HistoryStatus {
    return {
      written: this.#written,
      summed: this.#summed,
      dropped: this.#dropped,
      waitingBytes: this.#waitingBytes,
    };
  }

  async stop(withinMs: number): Promise<void> {
    this.#endAtMs = steadyNowMs() + withinMs;
    this.#stopped.abort();
    await this.#running;
    if (this.#dropped > 0) {
      this.#logger.warn({ dropped: this.#dropped }, 'requests are missing in the request log');
    }
  }

  async #run(): Promise<void> {
    let backoffMs = 0;
    for (let batch = this.#queue[0]; batch !== undefined; batch = this.#queue[0]) {
      try {
        this.#written += await this.#enter(batch);
        this.#succeeds();
        backoffMs = 0;
      } catch (error) {
        this.#fails(error);
        if (steadyNowMs() < this.#endAtMs) {
          backoffMs = Math.min(Math.max(backoffMs * 2, BACKOFF_MS_MIN), BACKOFF_MS_MAX);
          await this.#pause(backoffMs);
          continue;
        }
        this.#dropped += batch.entries;
      }
      this.#queue.shift();
      this.#waitingBytes -= batch.json.byteLength;
    }
  }

  /**
   * Returns how many entries were written. Rejects when PostgreSQL is away: the batch may be sent
   * again.
   */
  async #enter(batch: Pick<EntryBatch, 'json' | 'entries'>): Promise<number> {
    try {
      await this.#pool.query(
        queryWithin(WRITE_TIMEOUT_MS, ENTER, [Buffer.from(batch.json.buffer)]),
      );
      return batch.entries;
    } catch (error) {
      if (!isDataError(error)) throw error;
      return await this.#enterHalves(batch, error);
    }
  }

  /** One entry that PostgreSQL does not take must not cost the others their place. */
  async #enterHalves(
    { json, entries }: Pick<EntryBatch, 'json' | 'entries'>,
    error: unknown,
  ): Promise<number> {
    const lines = Buffer.from(json.buffer).toString('utf8').slice(1, -1).split(',\n');
    if (entries <= 1 || lines.length <= 1) {
      this.#dropped += entries;
      this.#logger.warn({ cause: causeOf(error) }, 'an entry of the request log was refused');
      return 0;
    }
    let written = 0;
    const half = Math.ceil(lines.length / 2);
    for (const part of [lines.slice(0, half), lines.slice(half)]) {
      const text = new TextEncoder().encode(`[${part.join(',\n')}]`);
      written += await this.#enter({ json: text, entries: part.length });
    }
    return written;
  }

  #succeeds(): void {
    if (this.#isFailing) this.#logger.info({}, 'the request log is written again');
    this.#isFailing = false;
  }

  #fails(error: unknown): void {
    if (!this.#isFailing) {
      this.#logger.warn({ cause: causeOf(error) }, 'the request log cannot be written; it waits');
    }
    this.#isFailing = true;
  }

  /** Ends early at the stop, for a last attempt. */
  async #pause(ms: number): Promise<void> {
    const { signal } = this.#stopped;
    await sleep(signal.aborted ? BACKOFF_MS_MIN : ms, undefined, {
      signal: signal.aborted ? undefined : signal,
    }).catch(() => undefined);
  }
}
