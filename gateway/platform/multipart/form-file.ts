import { close, read, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { AudioDuration } from '../audio/audio-duration.ts';

const readBytes = promisify(read);
const writeBytes = promisify(write);

/** Bytes that are read, and are in memory, at a time. */
const READ_BYTES = 128 * 1024;

/** The content of one part of a form that is in a file on disk, not in memory. */
export interface StoredContent {
  readonly file: FormFile;
  /** Its first byte in the file. */
  readonly at: number;
  readonly length: number;
  /** Its duration, where it is sound and was measured; null if its container does not say. */
  readonly sound?: AudioDuration | null;
}

/** The file on disk with the large contents of one form. */
export class FormFile {
  /** An open file without a name. Worker threads may read it: descriptors are the process's. */
  readonly descriptor: number;
  #length = 0;
  #underWay = 0;
  #isClosed = false;

  constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  /** Appends bytes. They must not change until it resolves. */
  async append(bytes: Buffer): Promise<void> {
    const at = this.#reserve(bytes.length);
    await this.#use(async () => {
      for (let done = 0; done < bytes.length;) {
        const left = bytes.length - done;
        const { bytesWritten } = await writeBytes(this.descriptor, bytes, done, left, at + done);
        done += bytesWritten;
      }
    });
  }

  /** Appends bytes before it returns; behind those that are being written. */
  appendNow(bytes: Buffer): void {
    const at = this.#reserve(bytes.length);
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.descriptor, bytes, done, bytes.length - done, at + done);
    }
  }

  /** Reads a range in order, in pieces that are the caller's. Throws once the file is closed. */
  async *read(at: number, length: number): AsyncGenerator<Buffer, void> {
    for (let done = 0; done < length;) {
      if (this.#isClosed) throw new Error('The form is over.');
      const piece = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, length - done));
      const { bytesRead } = await this.#use(() =>
        readBytes(this.descriptor, piece, 0, piece.length, at + done),
      );
      if (bytesRead === 0) throw new Error('The file of a form is shorter than it was written.');
      done += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  }

  /** Closes the file, after what is under way. It has no name, so that its disk is free then. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closeIfIdle();
  }

  #reserve(bytes: number): number {
    const at = this.#length;
    this.#length += bytes;
    return at;
  }

  async #use<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#closeIfIdle();
    }
  }

  #closeIfIdle(): void {
    if (this.#isClosed && this.#underWay === 0) close(this.descriptor);
  }
}
