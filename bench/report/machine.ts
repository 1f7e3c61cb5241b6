import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { openFilesMax } from '../processes/process-tree.ts';

/** The facts that a figure depends on besides the code. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryBytes: number;
  readonly kernel: string;
  /**
   * The behaviour of an idle core: the kernel's driver, and for how long it stays awake at first.
   * Null where it is unknown.
   */
  readonly idle: { readonly driver: string | null; readonly haltPollNs: number | null };
  readonly node: string;
  readonly openFilesMax: number;
  /**
   * The commit that was measured, with "+" when files differ from it; null outside of a repository.
   */
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

function readSetting(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/**
 * A core that halts at once in a virtual machine takes long to wake: a quarter of what a request
 * costs at low rates (docs/operations.md).
 */
function describeIdle(): Machine['idle'] {
  const haltPollNs = readSetting('/sys/module/haltpoll/parameters/guest_halt_poll_ns');
  return {
    driver: readSetting('/sys/devices/system/cpu/cpuidle/current_driver'),
    haltPollNs: haltPollNs === null ? null : Number(haltPollNs),
  };
}

export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryBytes: totalmem(),
    kernel: release(),
    idle: describeIdle(),
    node: process.version,
    openFilesMax: openFilesMax(),
    commit: commit(),
  };
}
