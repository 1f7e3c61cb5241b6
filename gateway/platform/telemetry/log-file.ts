import { write, writeSync } from 'node:fs';

/** The reason why lines were lost, reported once the log can be written again. */
export interface LogOutage {
  /** The system's error code, such as ENOSPC. */
  readonly cause: string;
  readonly sinceMs: number;
  /** Lines that found no place in the buffer. The others were written when the outage was over. */
  readonly linesLost: number;
}

export interface LogFileOptions {
  readonly descriptor: number;
  /** The most bytes of one write. A longer one could end up inside another thread's line. */
  readonly writeBytesMax: number;
  /** Bytes kept while the descriptor is slow or cannot be written. Beyond it lines are lost. */
  readonly bufferBytesMax: number;
  /** Time before a failed write is tried again. */
  readonly retryMs?: number;
}

const RETRY_MS = 1_000;
/** A pipe that is full for now (EAGAIN) has room again as soon as its reader has read. */
const BUSY_MS = 50;
/**
 * At the end of the process a pipe whose reader has stopped reading is given up after this long.
 */
const LAST_WRITE_MS_MAX = 1_000;
const LAST_WRITE_PAUSE_MS = 10;

/**
 * Writes one thread's log to a descriptor that all threads share, asynchronously and in order.
 *
 * A write that fails costs lines, never the thread, which an unhandled `error` event of a stream
 * would end. The text is kept as far as the buffer goes, and the write is tried again each second.
 *
 * States: idle -> writing -> idle, or after an error waiting -> writing.
 */
export class LogFile {
  readonly #options: LogFileOptions;
  readonly #pieces: { text: string; bytes: number }[] = [];
  /** The rest of the last write. Null while a write is under way. */
  #rest: Uint8Array | null = null;
  #bufferedBytes = 0;
  #busy = false;
  #failedAtMs: number | null = null;
  #cause = '';
  #linesLost = 0;
  #report: (outage: LogOutage) => void = () => undefined;
  #flushed: (() => void)[] = [];

  constructor(options: LogFileOptions) {
    this.#options = options;
  }

  /** @param report called once after each outage, when the log can be written again. */
  onRecovered(report: (outage: LogOutage) => void): void {
    this.#report = report;
  }

  write(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.#bufferedBytes + bytes > this.#options.bufferBytesMax) {
      this.#linesLost += countLines(text);
      return;
    }
    this.#bufferedBytes += bytes;
    const last = this.#pieces.at(-1);
    if (last !== undefined && last.bytes + bytes <= this.#options.writeBytesMax) {
      last.text += text;
      last.bytes += bytes;
    } else this.#pieces.push({ text, bytes });
    if (!this.#busy) this.#writeNext();
  }

  /** Calls back when everything so far is written, or cannot be written now. */
  flush(done: () => void): void {
    if (!this.#busy || this.#failedAtMs !== null) done();
    else this.#flushed.push(done);
  }

  /**
   * Writes what is left before the process ends. Gives up at the first error, and on a pipe that
   * stays full. A write in progress is left to the system.
   */
  flushSync(): void {
    const deadlineMs = performance.now() + LAST_WRITE_MS_MAX;
    for (let bytes = this.#take(); bytes.length > 0; bytes = this.#take()) {
      try {
        this.#wrote(bytes, writeSync(this.#options.descriptor, bytes));
      } catch (error) {
        this.#rest = bytes;
        if (codeOf(error) !== 'EAGAIN' || performance.now() > deadlineMs) return;
        sleepSync(LAST_WRITE_PAUSE_MS);
      }
    }
  }

  #writeNext(): void {
    const bytes = this.#take();
    this.#busy = bytes.length > 0;
    if (!this.#busy) {
      this.#tellFlushed();
      return;
    }
    write(this.#options.descriptor, bytes, (error, count) => {
      if (error === null) {
        this.#wrote(bytes, count);
        this.#writeNext();
        return;
      }
      this.#rest = bytes;
      if (error.code === 'EAGAIN') setTimeout(() => this.#writeNext(), BUSY_MS);
      else this.#fail(error.code ?? error.message);
    });
  }

  /** Takes the next bytes out of the buffer; none when it is empty. */
  #take(): Uint8Array {
    const bytes = this.#rest ?? Buffer.from(this.#pieces.shift()?.text ?? '');
    this.#rest = null;
    return bytes;
  }

  #wrote(bytes: Uint8Array, count: number): void {
    this.#bufferedBytes -= count;
    if (count < bytes.length) this.#rest = bytes.subarray(count);
    this.#recover();
  }

  #fail(cause: string): void {
    this.#failedAtMs ??= Date.now();
    this.#cause = cause;
    this.#tellFlushed();
    // Unreferenced: a thread must be able to end although its last lines have no place.
    setTimeout(() => this.#writeNext(), this.#options.retryMs ?? RETRY_MS).unref();
  }

  #recover(): void {
    if (this.#failedAtMs === null) return;
    const outage = {
      cause: this.#cause,
      sinceMs: this.#failedAtMs,
      linesLost: this.#linesLost,
    };
    this.#failedAtMs = null;
    this.#linesLost = 0;
    this.#report(outage);
  }

  #tellFlushed(): void {
    const flushed = this.#flushed;
    this.#flushed = [];
    for (const done of flushed) done();
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
