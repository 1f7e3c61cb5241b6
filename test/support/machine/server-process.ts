import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { HANG_MS } from '../clocks/hang.ts';
import { killIfAlive } from './kill-if-alive.ts';

/**
 * A server (redis-server, postgres) that a test run starts and that must be gone afterwards,
 * whatever happens to the run: a failure, Ctrl-C, even SIGKILL.
 *
 * Every server has a small shell, the undertaker, in a session of its own. It reads the
 * server's PID from a pipe, a line per change. The pipe ends when the run ends, in whatever way;
 * then the undertaker kills the server and removes its folder. So no signal handler has to be
 * right. A PostgreSQL that was killed leaves shared memory, which its PID file names.
 */
const UNDERTAKER = `
while read -r pid; do server=$pid; done
if [ -n "$server" ]; then
  kill -"$2" "$server"; kill -CONT "$server"
  tries=0
  while kill -0 "$server" && [ $tries -lt 20 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -KILL "$server"
fi
if [ -f "$1/data/postmaster.pid" ]; then ipcrm -m "$(awk 'NR == 7 { print $2 }' "$1/data/postmaster.pid")"; fi
rm -rf "$1"
`;

const POLL_MS = 20;
const RESTART_TRIES = 20;
const RESTART_PAUSE_MS = 250;
const LOG_TAIL_CHARACTERS = 2_000;

export interface ServerProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** A folder made by `makeTemporaryFolder`; it is removed when this process ends. */
  readonly folder: string;
  /** The user to run as, when the server refuses to run as root. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Variables added to this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly isReady: () => Promise<boolean>;
  readonly signals: {
    /** Ends the server in good order. */
    readonly stop: NodeJS.Signals;
    /** Ends it at once, leaving nothing behind that outlives it. */
    readonly abandon: 'KILL' | 'QUIT';
  };
}

export interface ServerProcess {
  readonly pid: () => number | undefined;
  /** Starts the server; resolves when it answers. */
  readonly start: () => Promise<void>;
  /**
   * Starts it again. What it needs may not be free at once: a process of a killed PostgreSQL still
   * has its shared memory.
   */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** SIGKILL: what a power cut or the kernel's memory killer does. */
  readonly kill: () => Promise<void>;
  /** Any signal, for example SIGSTOP and SIGCONT for a server that hangs. */
  readonly signal: (signal: NodeJS.Signals) => void;
}

export function makeTemporaryFolder(purpose: string): string {
  return mkdtempSync(join(tmpdir(), `weir-${purpose}-`));
}

function startUndertaker(folder: string, signal: string): Writable {
  const undertaker = spawn('/bin/sh', ['-c', UNDERTAKER, 'undertaker', folder, signal], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  undertaker.unref();
  const { stdin } = undertaker;
  // Without a listener an early death of the shell would be an uncaught error of the test run.
  stdin.on('error', () => undefined);
  if (stdin instanceof Socket) stdin.unref();
  return stdin;
}

function logTail(logPath: string): string {
  return readFileSync(logPath, 'utf8').slice(-LOG_TAIL_CHARACTERS).trim();
}

/** Returns the processes that a process has started; none where the system has no `/proc`. */
function childrenOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8');
    return children.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export function serverProcess(options: ServerProcessOptions): ServerProcess {
  const logPath = join(options.folder, 'server.log');
  const undertaker = startUndertaker(options.folder, options.signals.abandon);
  let child: ChildProcess | undefined;
  let exited: Promise<void> = Promise.resolve();

  function launch(): ChildProcess {
    const log = openSync(logPath, 'a');
    const launched = spawn(options.command, options.args, {
      stdio: ['ignore', log, log],
      detached: true,
      cwd: options.folder,
      env: { ...process.env, ...options.env },
      ...(options.user ?? {}),
    });
    closeSync(log);
    launched.unref();
    exited = new Promise((resolve) => {
      const gone = (): void => {
        if (child === launched) child = undefined;
        undertaker.write('\n');
        resolve();
      };
      launched.once('exit', gone);
      launched.once('error', gone);
    });
    if (launched.pid !== undefined) undertaker.write(`${String(launched.pid)}\n`);
    return launched;
  }

  async function start(): Promise<void> {
    if (child !== undefined) await stop();
    child = launch();
    const deadline = Date.now() + HANG_MS;
    while (!(await options.isReady())) {
      if ((child as ChildProcess | undefined) === undefined || Date.now() > deadline) {
        throw new Error(`${options.command} did not start:\n${logTail(logPath)}`);
      }
      await sleep(POLL_MS);
    }
  }

  async function restart(): Promise<void> {
    for (let left = RESTART_TRIES; ; left -= 1) {
      try {
        await start();
        return;
      } catch (error) {
        if (left === 0) throw error;
        await sleep(RESTART_PAUSE_MS);
      }
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child;
    if (ending === undefined) return;
    ending.ref();
    ending.kill(signal);
    // A server under SIGSTOP hears of the signal only when it goes on.
    ending.kill('SIGCONT');
    const timer = setTimeout(() => ending.kill('SIGKILL'), HANG_MS);
    await exited;
    clearTimeout(timer);
  }

  async function stop(): Promise<void> {
    await end(options.signals.stop);
  }

  /**
   * Its children die with it: a backend of a killed PostgreSQL serves until it notices, which is
   * late on a busy machine. The server is stopped first, so that it starts no further ones.
   */
  async function kill(): Promise<void> {
    child?.kill('SIGSTOP');
    const children = child?.pid === undefined ? [] : childrenOf(child.pid);
    const ended = end('SIGKILL');
    for (const pid of children) killIfAlive(pid);
    await ended;
  }

  return {
    pid: () => child?.pid,
    start,
    restart,
    stop,
    kill,
    signal: (signal) => void child?.kill(signal),
  };
}
