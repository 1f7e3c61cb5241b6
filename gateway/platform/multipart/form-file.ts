import type { FileHandle } from 'node:fs/promises';
import type { AudioDuration } from '../audio/audio-duration.ts';

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
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** For a worker thread: descriptors are the process's. */
  get descriptor(): number {
    return this.#handle.fd;
  }

  /** Reads a range in order, in pieces that are the caller's. Throws once the file is closed. */
  async *read(at: number, length: number): AsyncGenerator<Buffer, void> {
    for (let done = 0; done < length;) {
      const piece = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, length - done));
      const { bytesRead } = await this.#handle.read(piece, 0, piece.length, at + done);
      if (bytesRead === 0) throw new Error('The file of a form is shorter than it was written.');
      done += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  }

  /** Closes the file, after what is being read of it. It has no name, so that ends it. */
  async close(): Promise<void> {
    await this.#handle.close();
  }
}
