import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFakeTime } from '../machine/executables.ts';
import { makeTemporaryFolder } from '../machine/server-process.ts';

/** The clock of a program that is started with `env`; it may be set while the program runs. */
export interface FakeClock {
  readonly env: Readonly<Record<string, string>>;
  /** @param offset as libfaketime takes it: "-26h", "+70d", "+0" */
  set(offset: string): void;
  remove(): void;
}

/**
 * The time of day alone: as on a real machine, the monotonic clock goes on when somebody sets the
 * other.
 */
export function fakeClock(offset: string): FakeClock {
  const library = findFakeTime();
  if (library === undefined) throw new Error('libfaketime is not installed.');
  const folder = makeTemporaryFolder('clock');
  // A server that runs as another user reads it.
  chmodSync(folder, 0o755);
  const file = join(folder, 'offset');
  const set = (text: string): void => {
    // In one step: a program that reads half a line would have yet another time.
    writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o644 });
    renameSync(`${file}.new`, file);
  };
  set(offset);
  return {
    env: {
      // libc before the allocator of redis-server, which asks for the time and is asked for memory.
      LD_PRELOAD: `${library} libc.so.6`,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
