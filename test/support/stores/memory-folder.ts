import { existsSync, statfsSync } from 'node:fs';

/** The folder in which Linux keeps files in memory; small in most containers. */
const MEMORY_FOLDER = '/dev/shm';
/** A whole run was seen to need 0.4 GB of it; it is memory that its processes then do not have. */
const FREE_BYTES_MIN = 2 * 1024 ** 3;

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Has every temporary file of this process and its children in memory where there is room for it.
 * The run makes and drops a database for almost every test file, hundreds of small files each time,
 * which took a disk's file system half of the time of the admin API's tests. What tests kill are
 * processes, never the machine, so nothing is lost that a disk would have kept.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined) return;
  if (!existsSync(MEMORY_FOLDER) || freeBytes(MEMORY_FOLDER) < FREE_BYTES_MIN) return;
  process.env['TMPDIR'] = MEMORY_FOLDER;
}
