import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { until } from './hang.ts';
import { processesOf } from './run-remains.ts';

const RUN = fileURLToPath(new URL('../run.ts', import.meta.url));
/** Starts Redis, PostgreSQL and a gateway in a process of its own. */
const FILE_THAT_STARTS_SERVERS = 'gateway/main/exact-money';

it.each(['SIGKILL', 'SIGINT'] as const)(
  'a run cut off by %s leaves no process and no folder',
  async (signal) => {
    const runId = randomBytes(6).toString('hex');
    const before = new Set(readdirSync(tmpdir()));
    const run = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', RUN, FILE_THAT_STARTS_SERVERS],
      { env: { ...process.env, TEST_RUN_ID: runId }, stdio: 'ignore' },
    );
    const ended = new Promise((resolve) => run.once('exit', resolve));
    const commands = await until('servers of the run', () => {
      const found = processesOf(runId).map(({ command }) => command);
      return found.includes('redis-server') && found;
    });
    expect(commands.length).toBeGreaterThanOrEqual(2);

    run.kill(signal);
    await ended;

    await until('the end of its processes', () => processesOf(runId).length === 0);
    await until('the end of its folder', () =>
      readdirSync(tmpdir()).every((name) => before.has(name) || !name.startsWith('weir-test-run-')),
    );
    expect(existsSync(tmpdir())).toBe(true);
  },
);
