import { CONTENT_OUTCOMES, type ContentOutcome } from '@weir/shared/watch/content-outcomes';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { steadyNowMs } from '../platform/clock/steady-clock.ts';
import { causeOf } from '../platform/errors/cause-of.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import type { CapturedContent } from './captured-content.ts';
import { ContentQueue } from './content-queue.ts';
import { enterContent, type ContentEntry, type ContentLimits } from './enter-content.ts';
import { isDataError } from '../stores/postgres/is-connection-error.ts';
import { maskWeirKeys } from './mask-weir-keys.ts';
import { sealContent } from './seal-content.ts';

const BACKOFF_MS_MIN = 500;
const BACKOFF_MS_MAX = 10_000;

export interface ContentWriterOptions extends ContentLimits {
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly secrets: Pick<Secrets, 'contentKeys'>;
  /** CONTENT_LOG_BYTES_MAX: where bodies were cut. */
  readonly bytesMax: number;
  readonly logger: ContentLogger;
}

export interface ContentLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface ContentStatus {
  /** Requests since the start of the process, by what became of their content. */
  readonly outcomes: Readonly<Record<ContentOutcome | 'lost', number>>;
  readonly waitingBytes: number;
}

export interface ContentWriter {
  add(content: CapturedContent): void;
  status(): ContentStatus;
  /** Writes what waits, for so long at most. */
  stop(withinMs: number): Promise<void>;
}

/**
 * Masks, compresses, encrypts and enters the content of requests, on the main thread and libuv's.
 * It may lose content, at a crash or while PostgreSQL is away and the queue is full: no bill and no
 * reply depends on it.
 */
export function startContentWriter(options: ContentWriterOptions): ContentWriter {
  return new Writer(options);
}

class Writer implements ContentWriter {
  readonly #options: ContentWriterOptions;
  readonly #queue = new ContentQueue();
  readonly #outcomes: Record<ContentOutcome | 'lost', number>;
  #running: Promise<void> | null = null;
  #isFailing = false;
  #endAtMs = Infinity;
  readonly #stopped = new AbortController();

  constructor(options: ContentWriterOptions) {
    this.#options = options;
    const counts = [...CONTENT_OUTCOMES, 'lost'].map((outcome) => [outcome, 0]);
    this.#outcomes = Object.fromEntries(counts) as Record<ContentOutcome | 'lost', number>;
  }

  add(content: CapturedContent): void {
    if (!this.#queue.add(content)) this.#outcomes.lost += 1;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  status(): ContentStatus {
    return { outcomes: { ...this.#outcomes }, waitingBytes: this.#queue.bytes };
  }

  async stop(withinMs: number): Promise<void> {
    this.#endAtMs = steadyNowMs() + withinMs;
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let batch = this.#queue.take(); batch.length > 0; batch = this.#queue.take()) {
      const beganMs = steadyNowMs();
      const sealed: ContentEntry[] = [];
      for (const content of batch) sealed.push(await this.#seal(content));
      await this.#enterSurely(sealed);
      this.#queue.release(batch);
      await this.#rest(steadyNowMs() - beganMs);
    }
  }

  /**
   * Rests for as long as the batch took: requests on a busy machine keep the CPU, and content that
   * comes faster is dropped.
   */
  async #rest(ms: number): Promise<void> {
    const { signal } = this.#stopped;
    if (!signal.aborted) await sleep(ms, undefined, { signal }).catch(() => undefined);
  }

  async #seal(content: CapturedContent): Promise<ContentEntry> {
    const { bodies, ...entry } = content;
    if (bodies === null) return { ...entry, outcome: 'queue_full', cutAtBytes: null, sealed: null };
    const { secrets, bytesMax } = this.#options;
    const request = maskWeirKeys(bodies.request);
    const reply = maskWeirKeys(bodies.reply);
    const isCut = Math.max(entry.requestBytes, entry.replyBytes) > bytesMax;
    const sealed = await sealContent(secrets, entry, { request, reply });
    return { ...entry, outcome: 'kept', cutAtBytes: isCut ? bytesMax : null, sealed };
  }

  /** Repeats until PostgreSQL has the batch, will never take it, or the time is over. */
  async #enterSurely(batch: readonly ContentEntry[]): Promise<void> {
    for (let backoffMs = BACKOFF_MS_MIN; ; backoffMs = Math.min(backoffMs * 2, BACKOFF_MS_MAX)) {
      try {
        const entered = await enterContent(this.#options.pool, batch, this.#options);
        for (const { outcome } of entered) this.#outcomes[outcome] += 1;
        this.#succeeds();
        return;
      } catch (error) {
        this.#fails(error);
        if (isDataError(error) || steadyNowMs() >= this.#endAtMs) {
          this.#outcomes.lost += batch.length;
          return;
        }
        await this.#pause(backoffMs);
      }
    }
  }

  #succeeds(): void {
    if (this.#isFailing) this.#options.logger.info({}, 'the content log is written again');
    this.#isFailing = false;
  }

  #fails(error: unknown): void {
    if (!this.#isFailing) {
      this.#options.logger.warn({ cause: causeOf(error) }, 'the content log cannot be written');
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
