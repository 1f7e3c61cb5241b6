import { randomUUID } from 'node:crypto';
import { mkdirSync, openSync, unlinkSync } from 'node:fs';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { FormFile, type PieceMemory } from '../../../platform/multipart/form-file.ts';
import { BodyQuota } from './body-quota.ts';

const FOLDER = 'uploads';
const ENDING = '.upload';

export interface UploadStoreOptions {
  readonly dataDir: string;
  /** Bytes of all files of one thread. */
  readonly diskBytesMax: number;
  /** For pieces on their way to a file and from it. */
  readonly memory: PieceMemory;
  /** Called when a file cannot be made or written. */
  readonly onFault: (error: unknown) => void;
}

/**
 * The files that hold large uploads while their requests are served. A file loses its name as soon
 * as it is open, so the kernel frees it when it is closed, also if this process is killed.
 */
export class UploadStore {
  readonly quota: BodyQuota;
  readonly memory: PieceMemory;
  readonly #folder: string;
  readonly #onFault: (error: unknown) => void;

  constructor({ dataDir, diskBytesMax, memory, onFault }: UploadStoreOptions) {
    this.memory = memory;
    this.quota = new BodyQuota(diskBytesMax);
    this.#folder = join(dataDir, FOLDER);
    this.#onFault = onFault;
  }

  /** Opens a new file that has no name. Throws if the folder cannot be written to. */
  open(): FormFile {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `${randomUUID()}${ENDING}`);
    const descriptor = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return new FormFile(descriptor, this.memory);
  }

  faulty(error: unknown): void {
    this.#onFault(error);
  }
}

/** Removes files of a process that was killed between making a file and taking its name away. */
export async function removeUploads(dataDir: string): Promise<void> {
  const folder = join(dataDir, FOLDER);
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => name.endsWith(ENDING));
  await Promise.allSettled(left.map((name) => unlink(join(folder, name))));
}
