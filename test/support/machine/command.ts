import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runMark } from './run-remains.ts';

export interface CommandEnd {
  readonly code: number | null;
  /** Its stdout, followed by its stderr. */
  readonly output: string;
}

/** Runs a command of the operator as npm does, with this environment and no other. */
export async function runCommand(
  name: 'reconcile' | 'switch-ledger' | 'allow-password',
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandEnd> {
  const file = fileURLToPath(new URL(`../../../gateway/commands/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
    env: { ...runMark(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  return { code: await ended, output };
}
