import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { runMark } from '../../support/machine/run-remains.ts';

export interface ProgramEnd {
  /** null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly cwd: string;
  /** The whole environment, but for the mark of the run. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/**
 * Runs a program in a process group of its own, without input. The whole group is killed at the
 * end: shells and servers that it has started must not outlive it. Rejects when the time is over.
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramEnd> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...options.env, ...runMark() },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const { pid } = child;
  const killGroup = (): void => {
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
  };
  process.once('exit', killGroup);
  const late = new AbortController();
  late.signal.addEventListener('abort', killGroup);
  const timer = setTimeout(() => late.abort(), options.timeoutMs);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      killGroup();
      resolve(code);
    });
  });
  try {
    const [code, stdout, stderr] = await Promise.all([
      ended,
      text(child.stdout),
      text(child.stderr),
    ]);
    if (late.signal.aborted) {
      throw new Error(`${command} did not end. It printed:\n${stdout}\n${stderr}`);
    }
    return { code, stdout, stderr };
  } finally {
    clearTimeout(timer);
    process.off('exit', killGroup);
  }
}
