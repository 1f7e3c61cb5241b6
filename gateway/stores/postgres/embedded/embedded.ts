import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ConfigError } from '../../../platform/config/config.ts';
import { causeOf } from '../../../platform/errors/cause-of.ts';

/** Start parameters of the database's thread. */
export interface EmbeddedStart {
  readonly dataDir: string;
  /** Set: listens on TCP and requires it. Null: listens on a socket file. */
  readonly password: string | null;
}

/** The only message to the database's thread. */
const STOP_EMBEDDED = 'stop';

export type FromEmbedded =
  | { readonly kind: 'ready'; readonly url: string }
  /** Another process uses the folder. */
  | { readonly kind: 'in_use' }
  /** Vacuum or checkpoint failed; it is retried at the next interval. */
  | { readonly kind: 'upkeep_failed'; readonly message: string };

export interface EmbeddedDatabase {
  /** For `openPool`, on every thread of this process. */
  readonly url: string;
  /** Rolls back unfinished transactions, writes everything to disk and ends the thread. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** The database's thread has died; nothing can be read or written. */
  readonly onFailure: (error: Error) => void;
  /** A problem to report to the operator; the database continues. */
  readonly onProblem: (message: string) => void;
  /**
   * Default: a socket file, or TCP with a random password on Windows, which has no socket files.
   */
  readonly transport?: 'socket' | 'tcp';
}

/** Folder of the database's files in DATA_DIR. */
export const EMBEDDED_FOLDER = 'postgres';

/** The first start writes 40 MB, perhaps on a slow machine. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;

/** Restoring a copy would not fit either. */
const IS_FULL = /no space left|quota exceeded/i;

/**
 * Starts the embedded database: PGlite, PostgreSQL in WebAssembly, in its own thread, stored in
 * DATA_DIR/postgres. It survives a kill of the process. PGlite does not force writes to disk, so a
 * power failure can damage it. It serves one process; a second one on the same folder gets a
 * ConfigError.
 */
export async function startEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir);
  makeFolder(dataDir);
  const overTcp = (options.transport ?? defaultTransport()) === 'tcp';
  const workerData: EmbeddedStart = {
    dataDir,
    password: overTcp ? randomBytes(24).toString('base64url') : null,
  };
  const worker = new Worker(new URL('./embedded-thread.ts', import.meta.url), {
    workerData,
    name: 'database',
    // The folder's lock uses node:sqlite, which prints a warning in Node 22 whenever it is loaded.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const url = await whenReady(worker, dataDir);
  let stopping = false;
  worker.on('message', (message: FromEmbedded) => {
    if (message.kind === 'upkeep_failed') options.onProblem(message.message);
  });
  worker.on('error', options.onFailure);
  worker.on('exit', () => {
    if (!stopping) options.onFailure(new Error('the embedded database has ended'));
  });
  return {
    url,
    stop: () => {
      stopping = true;
      return stop(worker);
    },
  };
}

function defaultTransport(): 'socket' | 'tcp' {
  return process.platform === 'win32' ? 'tcp' : 'socket';
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const cause = causeOf(error);
    throw new ConfigError(
      `DATA_DIR: ${dataDir} cannot be made (${cause}); write a folder that this user may write to, or set DATABASE_URL.`,
    );
  }
}

async function whenReady(worker: Worker, dataDir: string): Promise<string> {
  const message = await firstMessage(worker, dataDir);
  if (message.kind === 'ready') return message.url;
  throw new ConfigError(
    `DATA_DIR: ${dataDir} is in use by another Weir process. Stop that one, or set DATA_DIR, PORT and ADMIN_PORT to other values for this one.`,
  );
}

function firstMessage(worker: Worker, dataDir: string): Promise<FromEmbedded> {
  return new Promise((resolve, reject) => {
    const failed = (cause: string): void => {
      clearTimeout(timer);
      reject(
        new ConfigError(
          `DATA_DIR: the embedded database in ${dataDir} cannot be opened (${cause}). ${IS_FULL.test(cause) ? 'Make room there' : 'Restore it from a copy'}, or set DATA_DIR to a new folder.`,
        ),
      );
    };
    const timer = setTimeout(() => failed('it did not start in time'), START_TIMEOUT_MS);
    worker.once('message', (message: FromEmbedded) => {
      clearTimeout(timer);
      worker.removeAllListeners();
      resolve(message);
    });
    worker.once('error', (error) => failed(error.message));
    worker.once('exit', () => failed('its thread ended'));
  });
}

async function stop(worker: Worker): Promise<void> {
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.postMessage(STOP_EMBEDDED);
  // Safe to terminate, because this thread has no uWS app; the write-ahead log keeps what was
  // committed.
  const timer = setTimeout(() => void worker.terminate(), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}
