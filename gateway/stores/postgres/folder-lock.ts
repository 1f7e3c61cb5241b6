import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Also the name of the file; it stays empty. */
const LOCK_FILE = 'in-use.lock';

const SQLITE_BUSY = 5;

export interface FolderLock {
  release(): void;
}

/**
 * Takes a folder for this process alone; undefined when another process has it.
 *
 * Node offers no lock on files, and a file with a process number in it has to be guessed about after a kill. An
 * exclusive SQLite transaction is a lock of the kernel's: it goes with the process, however that ends, and is
 * seen from other containers on the same machine. Nothing else may open the file: closing it would drop the lock.
 */
export function lockFolder(folder: string): FolderLock | undefined {
  const database = new DatabaseSync(join(folder, LOCK_FILE));
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
