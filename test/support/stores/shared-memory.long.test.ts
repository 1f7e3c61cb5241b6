import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { until } from '../clocks/hang.ts';

const KILLED_SERVER = fileURLToPath(new URL('killed-postgres.ts', import.meta.url));

/** Ids of the segments of System V shared memory on this machine. */
function segments(): string[] {
  const [, ...lines] = readFileSync('/proc/sysvipc/shm', 'utf8').trim().split('\n');
  return lines.map((line) => line.trim().split(/\s+/)[1] ?? '');
}

it('a PostgreSQL that a test has killed leaves no shared memory when the run ends', async () => {
  const { stdout, stderr } = spawnSync(process.execPath, [KILLED_SERVER], { encoding: 'utf8' });
  expect(stdout, stderr).toMatch(/^\d+$/);
  await until('the end of its segment', () => !segments().includes(stdout));
});
