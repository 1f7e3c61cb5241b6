import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportMissing, runFetching } from '../../agent-tools/support/install-packages.ts';

const IS_RECENT = 'import sys; assert sys.version_info >= (3, 11), sys.version';

/** A Python that has packages. */
export interface Python {
  /** The path of the interpreter, or of a program that a package brings. */
  program(name: string): string;
  /** Runs the interpreter, or a program that a package brings; returns what it prints. */
  run(program: string, args: readonly string[], cwd?: string): Promise<string>;
  remove(): Promise<void>;
}

/** Undefined without Python 3.11 and pip, or without the packages; says so. */
export async function fetchPython(packages: readonly string[]): Promise<Python | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-python-'));
  const program = (name: string): string => join(folder, 'bin', name);
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await runFetching('python3', ['-c', IS_RECENT], folder);
    await runFetching('python3', ['-m', 'venv', folder], folder);
    const install = ['-m', 'pip', 'install', '--quiet', ...packages];
    await runFetching(program('python'), install, folder);
    process.stdout.write(`Python packages were fetched: ${packages.join(', ')}.\n`);
    return {
      program,
      run: (name, args, cwd = folder) => runFetching(program(name), args, cwd),
      remove,
    };
  } catch (error) {
    await remove();
    reportMissing(`Python 3.11 with ${packages.join(', ')}`, error);
    return undefined;
  }
}
