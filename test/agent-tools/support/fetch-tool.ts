import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HANG_MS } from '../../support/hang.ts';
import { runProgram } from './run-program.ts';

/** A published agent tool, at the version that its test was written for. */
export interface AgentTool {
  readonly packageName: string;
  readonly version: string;
  /** The program's name in `node_modules/.bin`. */
  readonly program: string;
  /** A script of the package that puts its program in place, which npm may refuse to run. */
  readonly setupScript?: string;
}

export interface FetchedTool {
  readonly name: string;
  /** The program's path. */
  readonly path: string;
  remove(): Promise<void>;
}

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

/** What npm sets for the script that runs the tests would make it install into the repository. */
function isOfScript(name: string): boolean {
  return /^npm_(config_(local_prefix|prefix)|package_|lifecycle_|command)/i.test(name);
}

/**
 * Fetches a tool from the registry that npm is configured for, into the run's temporary folder.
 * Prints what it fetched. Returns undefined if that is not possible, having printed why.
 */
export async function fetchTool(tool: AgentTool): Promise<FetchedTool | undefined> {
  const name = `${tool.packageName}@${tool.version}`;
  const folder = await mkdtemp(join(tmpdir(), 'weir-agent-tool-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'node_modules', '.bin', tool.program);
  try {
    await install(tool, name, folder);
    const reported = await program(path, ['--version'], folder);
    process.stdout.write(`Agent tool ${name} was fetched; it reports ${reported.trim()}.\n`);
    return { name, path, remove };
  } catch (error) {
    await remove();
    const reason = error instanceof Error ? error.message : String(error);
    const notice = `Agent tool ${name} cannot be fetched, its tests do not run: ${reason}`;
    if (process.env[REQUIRED_VARIABLE] === '1') throw new Error(notice, { cause: error });
    process.stdout.write(`${notice}\n`);
    return undefined;
  }
}

async function install(tool: AgentTool, name: string, folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
  await program('npm', ['install', '--prefix', folder, ...quiet, name], folder);
  if (tool.setupScript === undefined) return;
  const script = join(folder, 'node_modules', tool.packageName, tool.setupScript);
  await program(process.execPath, [script], folder);
}

async function program(command: string, args: readonly string[], cwd: string): Promise<string> {
  const env = { ...npmEnvironment(), HOME: command === 'npm' ? (process.env['HOME'] ?? cwd) : cwd };
  const end = await runProgram(command, args, { cwd, env, timeoutMs: FETCH_TIMEOUT_MS });
  if (end.code !== 0) throw new Error(`${command}: ${end.stderr.slice(0, REASON_CHARACTERS)}`);
  return end.stdout;
}
