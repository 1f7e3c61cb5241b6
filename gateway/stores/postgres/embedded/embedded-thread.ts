import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { WAIT_FOR_ANSWERS } from './embedded-address.ts';
import { EmbeddedServer } from './embedded-server.ts';
import { EmbeddedUpkeep } from './embedded-upkeep.ts';
import { EMBEDDED_FOLDER, type EmbeddedStart, type FromEmbedded } from './embedded.ts';
import { embeddedErrorMessage } from './embedded-error-message.ts';
import { lockFolder, type FolderLock } from './folder-lock.ts';

/**
 * The thread of the embedded database. PGlite is synchronous: here its queries block no request.
 */

const UPKEEP_MS = 15_000;

/** Limit for socket paths on macOS; Linux allows three bytes more. */
const SOCKET_PATH_BYTES_MAX = 103;

/** The file that `pg` expects in a folder given as host. */
const SOCKET_FILE = '.s.PGSQL.5432';

function answer(message: FromEmbedded): void {
  parentPort?.postMessage(message);
}

/**
 * A new database is created in another folder and renamed when it is complete: a start that is
 * killed leaves nothing that looks like a database.
 */
async function openDatabase(dataDir: string): Promise<PGlite> {
  const folder = join(dataDir, EMBEDDED_FOLDER);
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    const unfinished = join(dataDir, 'postgres.unfinished');
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { mode: 0o700 });
    const made = await PGlite.create({ dataDir: unfinished });
    await made.close();
    renameSync(unfinished, folder);
  }
  return PGlite.create({ dataDir: folder });
}

/** Only this user may open the folder, so no one else can connect. */
function makeSocketFolder(dataDir: string): string {
  const folder = join(dataDir, 'socket');
  if (Buffer.byteLength(join(folder, SOCKET_FILE)) > SOCKET_PATH_BYTES_MAX) {
    return mkdtempSync(join(tmpdir(), 'weir-'));
  }
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  return folder;
}

async function serve(start: EmbeddedStart, lock: FolderLock): Promise<void> {
  const database = await openDatabase(start.dataDir);
  const server = new EmbeddedServer({ database, password: start.password });
  const upkeep = new EmbeddedUpkeep(database);
  const timer = setInterval(() => {
    server
      .exclusively(() => upkeep.run())
      .catch((error: unknown) => {
        answer({ kind: 'upkeep_failed', message: embeddedErrorMessage(error) });
      });
  }, UPKEEP_MS);
  const socketFolder = start.password === null ? makeSocketFolder(start.dataDir) : null;
  // The only message is "stop".
  parentPort?.on('message', () => void stop());

  async function stop(): Promise<void> {
    clearInterval(timer);
    await server.close();
    await server.exclusively(() => database.close());
    if (socketFolder !== null) rmSync(socketFolder, { recursive: true, force: true });
    lock.release();
    parentPort?.close();
  }

  if (socketFolder === null) {
    const port = await server.listen({ host: '127.0.0.1', port: 0 });
    answer({
      kind: 'ready',
      url: `postgres://postgres:${start.password ?? ''}@127.0.0.1:${port ?? 0}/postgres?${WAIT_FOR_ANSWERS}`,
    });
    return;
  }
  const path = join(socketFolder, SOCKET_FILE);
  // DATA_DIR is locked, so this socket file is from a process that was killed.
  rmSync(path, { force: true });
  await server.listen({ path });
  const host = encodeURIComponent(socketFolder);
  answer({ kind: 'ready', url: `postgres://postgres@/postgres?host=${host}&${WAIT_FOR_ANSWERS}` });
}

const start = workerData as EmbeddedStart;
const lock = lockFolder(start.dataDir);
if (lock === undefined) {
  answer({ kind: 'in_use' });
  parentPort?.close();
} else {
  try {
    await serve(start, lock);
  } catch (error) {
    // A value that is no Error would arrive at the main thread without its message.
    throw new Error(embeddedErrorMessage(error), { cause: error });
  }
}
