import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const PROGRAM = new URL('./close-while-loading.ts', import.meta.url).pathname;

it('may be closed at any moment while its workers load: Weir told to stop in its first second ends in order', async () => {
  const flags = ['--disable-warning=ExperimentalWarning'];
  // Rejects when the process aborts.
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, PROGRAM]);
  // Node.js may print a piece of its own source before: of a module that a worker was compiling
  // when it was ended.
  expect(stdout.endsWith('50 pools closed\n')).toBe(true);
});
