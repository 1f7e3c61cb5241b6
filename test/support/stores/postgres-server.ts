import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findPostgresFolder } from '../machine/executables.ts';
import { freePort } from '../machine/free-port.ts';
import {
  makeTemporaryFolder,
  serverProcess,
  type ServerProcess,
} from '../machine/server-process.ts';

const run = promisify(execFile);

const CONNECTIONS_MAX = 300;

/** Users that servers may run as when the tests run as root, which they refuse. */
const UNPRIVILEGED_USERS = ['postgres', 'nobody'];

export interface PostgresServer {
  /** The superuser's URL of the `postgres` database. */
  readonly url: string;
  readonly port: number;
  /** Ends the server in good order; data is kept until this process ends. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Starts it again on the same port with the same data. */
  restart(): Promise<void>;
  /** The server hangs: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
}

export interface PostgresServerOptions {
  /** Off makes tests quick; on is for tests of what survives a kill. */
  readonly fsync?: boolean;
  /** Variables added to this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder with `initdb` and `postgres`; default: the installed ones. */
  readonly programs?: string;
}

export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of UNPRIVILEGED_USERS) {
    const found = users.find((fields) => fields[0] === name);
    if (found !== undefined) return { uid: Number(found[2]), gid: Number(found[3]) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody".');
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function initialise(options: {
  programs: string;
  dataFolder: string;
  folder: string;
  password: string;
  user: { uid: number; gid: number } | undefined;
}): Promise<void> {
  const passwordFile = join(options.folder, 'password');
  writeFileSync(passwordFile, options.password, { mode: 0o600 });
  mkdirSync(options.dataFolder, { mode: 0o700 });
  if (options.user !== undefined) {
    for (const path of [options.folder, options.dataFolder, passwordFile]) {
      chownSync(path, options.user.uid, options.user.gid);
    }
  }
  await run(
    join(options.programs, 'initdb'),
    [
      `--pgdata=${options.dataFolder}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--no-locale',
      '--no-sync',
    ],
    { cwd: options.folder, ...(options.user ?? {}) },
  );
  rmSync(passwordFile);
}

function settings(port: number, fsync: boolean): string[] {
  const durable = fsync ? 'on' : 'off';
  const values = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: CONNECTIONS_MAX,
    shared_buffers: '64MB',
    fsync: durable,
    // Behind a pooler Weir refuses `off`; without fsync it costs nothing.
    synchronous_commit: 'on',
    full_page_writes: durable,
    autovacuum_naptime: '10min',
    timezone: 'UTC',
    // In the data folder, which goes with the run. In /dev/shm a killed server would leave it.
    dynamic_shared_memory_type: 'mmap',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${String(value)}`]);
}

function asPostgresServer(server: ServerProcess, url: string, port: number): PostgresServer {
  return {
    url,
    port,
    stop: server.stop,
    kill: server.kill,
    restart: server.restart,
    pause: () => {
      server.signal('SIGSTOP');
    },
    resume: () => {
      server.signal('SIGCONT');
    },
  };
}

/**
 * Starts a PostgreSQL cluster of its own on 127.0.0.1; it and its data go when this process ends.
 */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const programs = options.programs ?? findPostgresFolder();
  if (programs === undefined) throw new Error('PostgreSQL 15 or later is not installed.');
  const folder = makeTemporaryFolder('postgres');
  const dataFolder = join(folder, 'data');
  const password = randomBytes(16).toString('hex');
  const user = unprivilegedUser();
  const port = await freePort();
  const url = `postgres://postgres:${password}@127.0.0.1:${String(port)}/postgres`;
  const server = serverProcess({
    command: join(programs, 'postgres'),
    args: ['-D', dataFolder, ...settings(port, options.fsync ?? false)],
    folder,
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(user === undefined ? {} : { user }),
    isReady: () => answers(url),
    // SIGINT is PostgreSQL's "fast" shutdown, SIGQUIT its immediate one, which leaves no shared
    // memory.
    signals: { stop: 'SIGINT', abandon: 'QUIT' },
  });
  await initialise({ programs, dataFolder, folder, password, user });
  await server.start();
  return asPostgresServer(server, url, port);
}
