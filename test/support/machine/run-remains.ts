/**
 * Everything that a test run starts and makes is gone when it ends, however it ends: a failure,
 * Ctrl-C, even SIGKILL. Each process of a run has `TEST_RUN_ID` in its environment or works in the
 * run's own folder. A cleaner in a session of its own reads a pipe that ends with the run; then it
 * kills these processes, and removes the folder and the run's databases.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const CLEANER = fileURLToPath(new URL('clean-up-process.ts', import.meta.url));

/** For a process that a test starts with an environment of its own. */
export function runMark(): Record<string, string> {
  return Object.fromEntries(
    ['TEST_RUN_ID', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

export interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
}

function folderName(runId: string): string {
  return `weir-test-run-${runId}`;
}

/** The folder for the temporary files of a run that was started with this process's `TMPDIR`. */
export function folderOf(runId: string): string {
  return join(tmpdir(), folderName(runId));
}

/**
 * The processes of a run, and of runs whose id begins with its id, which a test of it started.
 * Redis and PostgreSQL overwrite their environment: their folder tells.
 */
export function processesOf(runId: string): MarkedProcess[] {
  const mark = `\0TEST_RUN_ID=${runId}`;
  const inFolder = `/${folderName(runId)}/`;
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      const isOfRun =
        `\0${readFileSync(`/proc/${name}/environ`, 'utf8')}`.includes(mark) ||
        `${readlinkSync(`/proc/${name}/cwd`)}/`.includes(inFolder);
      if (!isOfRun) return [];
      return [{ pid, command: readFileSync(`/proc/${name}/comm`, 'utf8').trim() }];
    } catch {
      // It has ended meanwhile, or belongs to another user.
      return [];
    }
  });
}

export interface RunRemains {
  /** Removes everything; resolves when all of it is gone. */
  remove(): Promise<void>;
}

/**
 * Returns the option that preloads a module. A copy without types goes into the folder of the run:
 * to load it must cost next to nothing.
 */
function preload(name: string, folder: string): string {
  const source = readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8');
  const copy = join(folder, `${name}.mjs`);
  writeFileSync(copy, stripTypeScriptTypes(source));
  return `--import=${pathToFileURL(copy).href}`;
}

/**
 * Marks this run, gives it a folder for its temporary files, and starts its cleaner.
 * @param preloaded files of this folder that every process and thread of the run loads first
 */
export function watchRun(preloaded: readonly string[]): RunRemains {
  const runId = process.env['TEST_RUN_ID'] ?? randomBytes(6).toString('hex');
  const folder = folderOf(runId);
  // PostgreSQL runs as a user of its own, so others may read it.
  mkdirSync(folder, { mode: 0o755 });
  const unmarked = { ...process.env };
  delete unmarked['TEST_RUN_ID'];
  const cleaner = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', CLEANER, runId, folder],
    { stdio: ['pipe', 'ignore', 'inherit'], detached: true, env: unmarked },
  );
  process.env['TEST_RUN_ID'] = runId;
  process.env['TMPDIR'] = folder;
  // A gateway is started dozens of times: the first leaves its compiled code to the others.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compile-cache');
  const options = preloaded.map((name) => preload(name, folder));
  process.env['NODE_OPTIONS'] = [process.env['NODE_OPTIONS'] ?? '', ...options].join(' ');
  const ended = new Promise<void>((resolve) => cleaner.once('exit', () => resolve()));
  return {
    remove: async () => {
      cleaner.stdin.end();
      await ended;
    },
  };
}
