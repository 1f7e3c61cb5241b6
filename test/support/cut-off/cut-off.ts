import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { until } from '../clocks/hang.ts';
import { folderOf, processesOf } from '../machine/run-remains.ts';

const RUN = fileURLToPath(new URL('../../run.ts', import.meta.url));
/** Starts Redis, PostgreSQL and a gateway in a process of its own. */
const FILE_THAT_STARTS_SERVERS = 'gateway/main/exact-money';

/** Runs a test file, ends the run by the signal, and waits until nothing is left of it. */
export async function cutOff(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
  // If this run is cut off itself, the other one ends with it.
  const runId = `${process.env['TEST_RUN_ID'] ?? ''}${randomBytes(6).toString('hex')}`;
  const run = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', RUN, FILE_THAT_STARTS_SERVERS],
    { env: { ...process.env, TEST_RUN_ID: runId }, stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => run.once('exit', resolve));
  // The folder is made after the run has asked each server for its version.
  await until(
    'a server of the run',
    () =>
      existsSync(folderOf(runId)) &&
      processesOf(runId).some(({ command }) => command === 'redis-server'),
  );

  run.kill(signal);
  await ended;

  await until('the end of its processes', () => processesOf(runId).length === 0);
  await until('the end of its folder', () => !existsSync(folderOf(runId)));
}
