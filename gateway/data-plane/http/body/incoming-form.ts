import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import type { FormFile, StoredContent } from '../../../platform/multipart/form-file.ts';
import { FormSplitter } from '../../../platform/multipart/form-splitter.ts';
import { malformedForm } from '../../../platform/multipart/malformed-form.ts';
import type { MultipartLimits } from '../../../platform/multipart/read-multipart.ts';
import { ROOM_BYTES_MIN, type BodyQuota } from './body-quota.ts';
import type { BodyCollector } from './incoming-body.ts';
import type { UploadStore } from './upload-store.ts';

/** More bytes that wait for the disk stop the client. */
const WAITING_BYTES_MAX = 256 * 1024;
/**
 * More are written at once. uWS reads on within one turn of the event loop for as long as a fast
 * client fills its buffer, however often it is paused, and no write ends meanwhile.
 */
const WAITING_BYTES_HARD_MAX = 768 * 1024;
const RETRY_AFTER_MS = 1_000;

const NOT_STORED = refuse(
  'overloaded',
  'The upload cannot be stored right now. Nothing was charged; try again shortly.',
  { retryAfterMs: RETRY_AFTER_MS },
);

export interface UploadLimits {
  readonly bytesMax: number;
  readonly timeoutMs: number;
  /** For what of a form is kept in memory. */
  readonly quota: BodyQuota;
  readonly store: UploadStore;
  readonly form: MultipartLimits;
}

/** A form as it has come: its text, and where the contents are that are not in it. */
export interface ReceivedForm {
  readonly text: Buffer;
  /** By the places in the text where they belong. */
  readonly storedAt: ReadonlyMap<number, StoredContent>;
  /** Frees the file; to be called once, at the end of the request. */
  readonly close: () => void;
}

/** Stops and continues the reading of a client's bytes. */
export interface ClientFlow {
  pause(): void;
  resume(): void;
}

interface Sender {
  readonly name: string;
  readonly boundary: string;
  readonly flow: ClientFlow;
}

/**
 * Collects a form. Large contents go to a file while they come, so that a form of any size takes
 * the same memory. The client waits while the disk is slower than it is.
 */
export class IncomingForm implements BodyCollector<ReceivedForm> {
  readonly #limits: UploadLimits;
  readonly #sender: Sender;
  readonly #splitter: FormSplitter;
  #length = 0;
  #memoryBytes = 0;
  #diskBytes = 0;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** The memory that what waits is in. */
  #windows: Buffer[] = [];
  #isPaused = false;
  #isOver = false;
  #file: FormFile | undefined;
  /** The writing of what waits; undefined: nothing is written. */
  #writing: Promise<void> | undefined;
  #failed = false;

  constructor(limits: UploadLimits, sender: Sender) {
    this.#limits = limits;
    this.#sender = sender;
    this.#splitter = new FormSplitter(sender.boundary, limits.form);
  }

  expect(declaredBytes: number): Refusal | undefined {
    if (declaredBytes > this.#limits.bytesMax) return uploadTooLarge(this.#limits.bytesMax);
    return declaredBytes > this.#limits.form.fieldBytesMax
      ? this.#takeDisk(declaredBytes)
      : undefined;
  }

  append(chunk: ArrayBuffer): Refusal | undefined {
    this.#length += chunk.byteLength;
    if (this.#length > this.#limits.bytesMax) return uploadTooLarge(this.#limits.bytesMax);
    if (this.#failed) return NOT_STORED;
    const { memory } = this.#limits.store;
    const window = memory.take(this.#splitter.windowBytes(chunk.byteLength));
    const stored = this.#splitter.push(new Uint8Array(chunk), window);
    if ('fault' in stored) return malformedForm(stored.fault);
    if (stored.length === 0) memory.release(window);
    const refused = this.#takeMemory();
    if (refused !== undefined || stored.length === 0) return refused;
    const full = this.#takeDisk(this.#length);
    if (full !== undefined) return full;
    this.#waiting.push(...stored);
    this.#windows.push(window);
    for (const { length } of stored) this.#waitingBytes += length;
    return this.#store();
  }

  async take(): Promise<ReceivedForm | Refusal> {
    this.#isOver = true;
    await this.#writing;
    const { store } = this.#limits;
    const file = this.#file;
    const diskBytes = this.#diskBytes;
    const close = (): void => {
      if (diskBytes > 0) store.quota.release(this.#sender.name, diskBytes);
      file?.close();
    };
    if (this.#failed) {
      close();
      return NOT_STORED;
    }
    const text = this.#splitter.end();
    const storedAt = new Map<number, StoredContent>();
    if (file !== undefined) {
      for (const { textAt, at, length } of this.#splitter.ranges) {
        storedAt.set(textAt, { file, at, length });
      }
    }
    return { text, storedAt, close };
  }

  close(): void {
    const { quota } = this.#limits;
    if (this.#memoryBytes > 0) quota.release(this.#sender.name, this.#memoryBytes);
    this.#memoryBytes = 0;
    this.#resume();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = [];
    if (this.#diskBytes > 0) this.#limits.store.quota.release(this.#sender.name, this.#diskBytes);
    this.#file?.close();
  }

  /** Writes what waits, and stops the client while too much does. */
  #store(): Refusal | undefined {
    try {
      this.#file ??= this.#limits.store.open();
      if (this.#waitingBytes > WAITING_BYTES_HARD_MAX) {
        const { pieces, windows } = this.#takeWaiting();
        this.#file.appendNow(pieces);
        this.#release(windows);
      }
    } catch (error) {
      this.#fail(error);
      return NOT_STORED;
    }
    this.#writing ??= this.#write(this.#file);
    if (this.#waitingBytes > WAITING_BYTES_MAX && !this.#isPaused) {
      this.#isPaused = true;
      this.#sender.flow.pause();
    }
    return undefined;
  }

  async #write(file: FormFile): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const { pieces, windows } = this.#takeWaiting();
        await file.append(pieces);
        this.#release(windows);
        if (this.#waitingBytes <= WAITING_BYTES_MAX) this.#resume();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#writing = undefined;
    }
  }

  #takeWaiting(): { readonly pieces: readonly Buffer[]; readonly windows: readonly Buffer[] } {
    const taken = { pieces: this.#waiting, windows: this.#windows };
    this.#waiting = [];
    this.#windows = [];
    this.#waitingBytes = 0;
    return taken;
  }

  #release(windows: readonly Buffer[]): void {
    for (const window of windows) this.#limits.store.memory.release(window);
  }

  /** The next bytes are refused, and so is the form. */
  #fail(error: unknown): void {
    this.#failed = true;
    this.#waiting = [];
    this.#limits.store.faulty(error);
    this.#resume();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#sender.flow.resume();
  }

  #takeMemory(): Refusal | undefined {
    const bytes = this.#splitter.keptBytes + this.#waitingBytes;
    const missing = bytes - this.#memoryBytes;
    if (bytes < ROOM_BYTES_MIN || missing <= 0) return undefined;
    const refused = this.#limits.quota.take(this.#sender.name, missing);
    if (refused === undefined) this.#memoryBytes += missing;
    return refused;
  }

  #takeDisk(bytes: number): Refusal | undefined {
    const missing = bytes - this.#diskBytes;
    if (missing <= 0) return undefined;
    const refused = this.#limits.store.quota.take(this.#sender.name, missing);
    if (refused === undefined) this.#diskBytes += missing;
    return refused;
  }
}

function uploadTooLarge(bytesMax: number): Refusal {
  return refuse(
    'request_too_large',
    `The form is larger than ${bytesMax} bytes. Send fewer or smaller files, or ask the operator to raise UPLOAD_BYTES_MAX.`,
  );
}
