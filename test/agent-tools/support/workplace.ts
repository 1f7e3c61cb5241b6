import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HANG_MS } from '../../support/clocks/hang.ts';
import type { FetchedTool } from './fetch-tool.ts';
import { runProgram, type ProgramEnd } from './run-program.ts';

export interface Workplace {
  /** The folder in which the tool works; its files are in here. */
  readonly projectFolder: string;
  /** The environment that `run` starts with. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs the tool with these settings and nothing of the machine's own. */
  run(
    tool: FetchedTool,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<ProgramEnd>;
  remove(): Promise<void>;
}

/** By path: below the home folder, or below the project. */
export interface WorkplaceFiles {
  readonly home?: Readonly<Record<string, string>>;
  readonly project?: Readonly<Record<string, string | Buffer>>;
}

/** Nothing listens there: only addresses of this machine can be reached. */
const NO_PROXY_LISTENS = 'http://127.0.0.1:9';

/** A home and a project of its own for one run of a tool. */
export async function createWorkplace(files: WorkplaceFiles = {}): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-agent-home-'));
  const home = join(folder, 'home');
  const projectFolder = join(folder, 'project');
  const temporary = join(folder, 'tmp');
  for (const path of [home, projectFolder, temporary]) await mkdir(path);
  await writeFiles(home, files.home);
  await writeFiles(projectFolder, files.project);
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    TERM: 'dumb',
    HTTPS_PROXY: NO_PROXY_LISTENS,
    NO_PROXY: '127.0.0.1',
  };
  return {
    projectFolder,
    environment,
    run: (tool, args, env) =>
      runProgram(tool.path, args, {
        cwd: projectFolder,
        env: { ...environment, ...env },
        timeoutMs: HANG_MS,
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Buffer>> = {},
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
