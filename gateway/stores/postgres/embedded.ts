import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ConfigError } from '../../platform/config/config.ts';
import { causeOf } from '../../platform/errors/cause-of.ts';

/** What the database's thread is started with. */
export interface EmbeddedStart {
  readonly dataDir: string;
  /** Given, it listens on TCP and asks for it; null listens on a socket file. */
  readonly password: string | null;
}

/** The only message the database's thread is sent. */
const STOP_EMBEDDED = 'stop';

export type FromEmbedded =
  | { readonly kind: 'ready'; readonly url: string }
  /** Another process has the folder. */
  | { readonly kind: 'in_use' }
  /** Vacuum or checkpoint failed; the next one is tried all the same. */
  | { readonly kind: 'upkeep_failed'; readonly message: string };

export interface EmbeddedDatabase {
  /** For `openPool`, on every thread of this process. */
  readonly url: string;
  /** Rolls back what is unfinished, writes everything to the files and ends the thread. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** The database's thread has died: nothing can be read or written any more. */
  readonly onFailure: (error: Error) => void;
  /** Something the operator should know although the database goes on. */
  readonly onProblem: (message: string) => void;
  /** A socket file unless told otherwise; Windows, which has none, gets TCP with a random password. */
  readonly transport?: 'socket' | 'tcp';
}

/** Of DATA_DIR: where the database's files are. */
export const EMBEDDED_FOLDER = 'postgres';

/** A first start writes 40 MB, perhaps on a slow machine. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;

/** A copy would find no room either. */
const IS_FULL = /no space left|quota exceeded/i;

/**
 * Starts the embedded database: PGlite, which is PostgreSQL in WebAssembly, in a thread of its own, persistent in
 * DATA_DIR/postgres. It survives a kill of the process; PGlite does not force its writes to the disk, so a
 * power cut can damage it. It serves one process: a second one on the same folder gets a ConfigError.
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
    // The folder's lock is node:sqlite, which Node 22 calls experimental each time it is loaded.
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
  // This thread has no uWS app and can be terminated; the write-ahead log keeps what was committed.
  const timer = setTimeout(() => void worker.terminate(), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}
