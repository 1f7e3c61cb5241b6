import { spawn } from 'node:child_process';
import { until } from '../../support/clocks/hang.ts';
import { runMark } from '../../support/machine/run-remains.ts';

/** A program that draws on a terminal of its own. */
export interface Terminal {
  /** Waits until the program has drawn this since the last key; white space does not count. */
  waitFor(words: RegExp): Promise<RegExpExecArray>;
  /** Sends keys as a terminal does, such as `\r` for Enter. */
  press(keys: string): void;
  /** Kills it and what it has started. */
  close(): Promise<void>;
}

export const KEYS = { enter: '\r', up: '\u001B[A', escape: '\u001B' } as const;

/** Sequences that move the cursor, colour the text or set the title. */
const CONTROL =
  /\u001B\[[0-9;?]*[A-Za-z]|\u001B\][^\u0007]*\u0007|\u001B[()][A-Z0-9]|\u001B[<>=78c]/g;

/** Starts a program under util-linux' `script`, which gives it a terminal. */
export function openTerminal(
  command: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Terminal {
  const sized = `stty rows 50 cols 140; exec ${command}`;
  const child = spawn('script', ['-qfec', sized, '/dev/null'], {
    cwd: options.cwd,
    env: { ...options.env, TERM: 'xterm-256color', ...runMark() },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  let drawn = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (drawn += part));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  process.once('exit', kill);
  return {
    waitFor: async (words) => {
      const look = (): string => drawn.replaceAll(CONTROL, '').replaceAll(/\s/g, '');
      try {
        return await until(
          `the terminal shows ${String(words)}`,
          () => words.exec(look()) ?? false,
        );
      } catch (error) {
        throw new Error(`The terminal shows:\n${look().slice(-2_000)}`, { cause: error });
      }
    },
    press: (keys) => {
      drawn = '';
      child.stdin.write(keys);
    },
    close: async () => {
      process.off('exit', kill);
      kill();
      await ended;
    },
  };
}
