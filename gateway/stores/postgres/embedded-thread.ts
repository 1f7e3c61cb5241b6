import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { WAIT_FOR_ANSWERS } from './embedded-address.ts';
import { EmbeddedServer } from './embedded-server.ts';
import { EmbeddedUpkeep } from './embedded-upkeep.ts';
import { EMBEDDED_FOLDER, type EmbeddedStart, type FromEmbedded } from './embedded.ts';
import { faultText } from './fault-text.ts';
import { lockFolder, type FolderLock } from './folder-lock.ts';

/**
 * The thread of the embedded database. PGlite computes synchronously: here its queries keep nobody from
 * serving requests.
 */

const UPKEEP_MS = 15_000;

/** Paths of socket files end here on macOS, three bytes later on Linux. */
const SOCKET_PATH_BYTES_MAX = 103;

/** What `pg` looks for in a folder given as host. */
const SOCKET_FILE = '.s.PGSQL.5432';

function answer(message: FromEmbedded): void {
  parentPort?.postMessage(message);
}

/**
 * A new database is made beside its place and moved there when it is whole: a start that is killed halfway leaves
 * nothing that the next one would take for a database.
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

/** Nobody but this user may open the folder, and so nobody else can connect. */
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
        answer({ kind: 'upkeep_failed', message: faultText(error) });
      });
  }, UPKEEP_MS);
  const socketFolder = start.password === null ? makeSocketFolder(start.dataDir) : null;
  // The only message there is says "stop".
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
  // DATA_DIR is locked, so a socket file found here is one that a killed process left.
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
    // What is no Error would arrive without a word of it.
    throw new Error(faultText(error), { cause: error });
  }
}
