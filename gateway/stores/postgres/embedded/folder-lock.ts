import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Also the file's name; it stays empty. */
const LOCK_FILE = 'in-use.lock';

const SQLITE_BUSY = 5;

export interface FolderLock {
  release(): void;
}

/**
 * Locks a folder for this process; undefined when another process has it.
 *
 * Node has no file locks, and a file with a process id is ambiguous after a kill. An exclusive
 * SQLite transaction is a kernel lock: it ends with the process, however that ends, and works
 * across containers of one machine. Nothing else may open the file, because closing it would drop
 * the lock.
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
