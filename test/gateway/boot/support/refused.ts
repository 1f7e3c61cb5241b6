import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { HANG_MS } from '../../../support/clocks/hang.ts';
import { runMark } from '../../../support/machine/run-remains.ts';

const MAIN = fileURLToPath(new URL('../../../../gateway/main.ts', import.meta.url));

export interface End {
  readonly code: number | null;
  readonly output: string;
}

/** A start that must not succeed: how it ended, and everything it said. */
export async function refused(env: Record<string, string>): Promise<End> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: { ...runMark(), PATH: process.env['PATH'] ?? '', PORT: '0', ADMIN_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANG_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stdout.on('data', (bytes) => (output += String(bytes)));
  child.stderr.on('data', (bytes) => (output += String(bytes)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

/** One sentence is for a person; a stack is for nobody. */
export function expectSentence({ code, output }: End, sentence: RegExp): void {
  expect(output).toMatch(sentence);
  expect(output).not.toMatch(/^ +at /m);
  expect(code).toBe(1);
}
