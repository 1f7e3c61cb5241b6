import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { openFilesMax } from '../processes/process-tree.ts';

/** What a figure depends on besides the code. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly node: string;
  readonly openFilesMax: number;
  /** The commit that was measured, with "+" when files differ from it; null outside of a repository. */
  readonly commit: string | null;
}

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

function commit(): string | null {
  try {
    const changed = git('status', '--porcelain', '--', '../../gateway', '../../shared');
    return git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : '+');
  } catch {
    return null;
  }
}

export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryBytes: totalmem(),
    kernel: release(),
    node: process.version,
    openFilesMax: openFilesMax(),
    commit: commit(),
  };
}
