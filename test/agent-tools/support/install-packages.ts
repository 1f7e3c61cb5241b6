import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HANG_MS } from '../../support/clocks/hang.ts';
import { runProgram } from './run-program.ts';

/** Set to `1`, a tool that cannot be fetched is a failure; else its tests are skipped. */
const REQUIRED_VARIABLE = 'AGENT_TOOLS_REQUIRED';

/** Hundreds of megabytes on the first run; npm's cache has them afterwards. */
const FETCH_TIMEOUT_MS = 5 * HANG_MS;

/** npm appends stack traces. */
const REASON_CHARACTERS = 400;

/** npm's own settings hold: registry, proxy and cache. */
function npmEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !isOfScript(entry[0]),
    ),
  );
}

/**
 * Reports whether npm set a variable for the script that runs the tests: with it, npm would install
 * into the repository.
 */
function isOfScript(name: string): boolean {
  return /^npm_(config_(local_prefix|prefix)|package_|lifecycle_|command)/i.test(name);
}

/** Installs packages from the registry that npm is configured for; their scripts do not run. */
export async function installPackages(folder: string, names: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
  await runFetching('npm', ['install', '--prefix', folder, ...quiet, ...names], folder);
}

/** Runs a program of the registry, or one that it has sent; returns what it prints. */
export async function runFetching(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<string> {
  const env = { ...npmEnvironment(), HOME: command === 'npm' ? (process.env['HOME'] ?? cwd) : cwd };
  const end = await runProgram(command, args, { cwd, env, timeoutMs: FETCH_TIMEOUT_MS });
  if (end.code !== 0) throw new Error(`${command}: ${end.stderr.slice(0, REASON_CHARACTERS)}`);
  return end.stdout;
}

/** Says that tests do not run, and why; throws where they have to. */
export function reportMissing(what: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  const notice = `${what} cannot be fetched, its tests do not run: ${reason}`;
  if (process.env[REQUIRED_VARIABLE] === '1') throw new Error(notice, { cause: error });
  process.stdout.write(`${notice}\n`);
}
