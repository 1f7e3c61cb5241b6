import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages, reportMissing, runFetching } from './install-packages.ts';

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
    const reported = await runFetching(path, ['--version'], folder);
    process.stdout.write(`Agent tool ${name} was fetched; it reports ${reported.trim()}.\n`);
    return { name, path, remove };
  } catch (error) {
    await remove();
    reportMissing(`Agent tool ${name}`, error);
    return undefined;
  }
}

async function install(tool: AgentTool, name: string, folder: string): Promise<void> {
  await installPackages(folder, [name]);
  if (tool.setupScript === undefined) return;
  const script = join(folder, 'node_modules', tool.packageName, tool.setupScript);
  await runFetching(process.execPath, [script], folder);
}
