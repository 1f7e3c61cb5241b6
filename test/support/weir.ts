import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cpuSeconds } from './machine/cpu-seconds.ts';
import { freePort } from './machine/free-port.ts';
import { HANG_MS } from './clocks/hang.ts';
import { runMark } from './machine/run-remains.ts';
import { TEST_SECRET_KEY } from './seed.ts';

export interface Weir {
  readonly url: string;
  readonly adminUrl: string;
  readonly pid: number;
  /** Everything printed so far, log lines and announcement. */
  readonly output: () => string;
  /** Resident memory of the process, bytes. */
  residentBytes(): number;
  /**
   * Sends a signal; resolves with the exit code, null when the signal itself ended the process.
   * Rejects with what was printed when another one did, as at a crash.
   */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const MAIN = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url));
const KIB = 1024;

/** Starts Weir as its users do, in a process of its own; resolves when it is ready. */
export async function startWeir(env: Readonly<Record<string, string>>): Promise<Weir> {
  const port = env['PORT'] ?? String(await freePort());
  const adminPort = env['ADMIN_PORT'] ?? String(await freePort());
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: {
      ...runMark(),
      PATH: process.env['PATH'] ?? '',
      SECRET_KEY: TEST_SECRET_KEY,
      ...env,
      PORT: port,
      ADMIN_PORT: adminPort,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let endedBy: NodeJS.Signals | null = null;
  const exited = new Promise<number | null>((resolve) =>
    child.once('exit', (code, signal) => {
      endedBy = signal;
      resolve(code);
    }),
  );
  const lines: string[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      // Tells a process that hangs from one that never had its turn.
      const used = cpuSeconds(child.pid ?? 'self');
      child.kill('SIGKILL');
      reject(new Error(`Weir is not ready, having used ${used} s of CPU:\n${lines.join('\n')}`));
    }, HANG_MS);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (!line.includes('Weir is ready')) return;
        clearTimeout(timer);
        resolve();
      });
    }
    void exited.then((code) => {
      clearTimeout(timer);
      reject(new Error(`Weir ended (${code}):\n${lines.join('\n')}`));
    });
  });
  // A test run that is cut off must not leave a server behind.
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  await ready;
  const pid = child.pid ?? 0;
  return {
    url: `http://127.0.0.1:${port}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    pid,
    output: () => lines.join('\n'),
    residentBytes: () => {
      const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return Number(kib) * KIB;
    },
    end: async (signal) => {
      child.kill(signal);
      const code = await exited;
      process.off('exit', killAtExit);
      if (endedBy !== null && endedBy !== signal) {
        throw new Error(`${endedBy} ended Weir, not ${signal}:\n${lines.join('\n')}`);
      }
      return code;
    },
  };
}
