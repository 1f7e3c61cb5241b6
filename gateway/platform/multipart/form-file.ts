import { close, read, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { AudioDuration } from '../audio/audio-duration.ts';

const readBytes = promisify(read);
const writeBytes = promisify(write);

/** Bytes that are read, and are in memory, at a time; more than a socket takes without waiting. */
const READ_BYTES = 128 * 1024;

/** Memory that is used again and again: V8 would collect its heap for what is always new. */
export interface PieceMemory {
  take(bytes: number): Buffer;
  /** Nothing reads the piece any more. */
  release(piece: Buffer): void;
}

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
  readonly #memory: PieceMemory;
  #length = 0;
  #underWay = 0;
  #isClosed = false;

  constructor(descriptor: number, memory: PieceMemory) {
    this.descriptor = descriptor;
    this.#memory = memory;
  }

  /** Appends pieces. They must not change until it resolves. */
  async append(pieces: readonly Buffer[]): Promise<void> {
    let at = this.#reserve(pieces);
    await this.#use(async () => {
      for (const piece of pieces) {
        for (let done = 0; done < piece.length;) {
          const left = piece.length - done;
          const { bytesWritten } = await writeBytes(this.descriptor, piece, done, left, at + done);
          done += bytesWritten;
        }
        at += piece.length;
      }
    });
  }

  /** Appends pieces before it returns; behind those that are being written. */
  appendNow(pieces: readonly Buffer[]): void {
    let at = this.#reserve(pieces);
    for (const piece of pieces) {
      for (let done = 0; done < piece.length;) {
        done += writeSync(this.descriptor, piece, done, piece.length - done, at + done);
      }
      at += piece.length;
    }
  }

  /**
   * Reads a range in order. A piece is the caller's until it asks for the next one. Throws once the
   * file is closed.
   */
  async *read(at: number, length: number): AsyncGenerator<Buffer, void> {
    for (let done = 0; done < length;) {
      if (this.#isClosed) throw new Error('The form is over.');
      const piece = this.#memory.take(Math.min(READ_BYTES, length - done));
      const { bytesRead } = await this.#use(() =>
        readBytes(this.descriptor, piece, 0, piece.length, at + done),
      );
      if (bytesRead === 0) throw new Error('The file of a form is shorter than it was written.');
      done += bytesRead;
      yield piece.subarray(0, bytesRead);
      // undici asks for more while a socket still has the last bytes, if they are few.
      if (bytesRead === READ_BYTES) this.#memory.release(piece);
    }
  }

  /** Closes the file, after what is under way. It has no name, so that its disk is free then. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closeIfIdle();
  }

  #reserve(pieces: readonly Buffer[]): number {
    const at = this.#length;
    for (const { length } of pieces) this.#length += length;
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
