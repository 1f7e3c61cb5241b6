import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/machine/free-port.ts';
import { HANG_MS, until } from '../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { runMark } from '../../support/machine/run-remains.ts';
import { TEST_SECRET_KEY } from '../../support/seed.ts';

const MAIN = fileURLToPath(new URL('../../../gateway/main.ts', import.meta.url));
/**
 * Longer than lines wait for each other (request-log.ts), so that each request is a write of its
 * own.
 */
const BETWEEN_REQUESTS_MS = 80;

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

async function statusOf(url: string): Promise<number | null> {
  try {
    return (await fetch(url)).status;
  } catch {
    return null;
  }
}

test('a log on a full disk costs lines: requests, the admin port and the end go on', async () => {
  const [port, adminPort] = [await freePort(), await freePort()];
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: {
      ...runMark(),
      PATH: process.env['PATH'] ?? '',
      SECRET_KEY: TEST_SECRET_KEY,
      DATABASE_URL: database.url,
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      GATEWAY_THREADS: '1',
    },
    stdio: ['ignore', full, full],
    timeout: HANG_MS,
    killSignal: 'SIGKILL',
  });
  closeSync(full);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  await until('ready', async () => (await statusOf(`${url}/ready`)) === 200);
  for (let request = 0; request < 20; request += 1) {
    expect(await statusOf(`${url}/v1/models`)).toBe(401);
    await sleep(BETWEEN_REQUESTS_MS);
  }
  const admin = `http://127.0.0.1:${adminPort}`;
  expect(await statusOf(`${admin}/health`)).toBe(200);
  const metrics = await (await fetch(`${admin}/metrics`)).text();
  expect(metrics).toMatch(/^weir_thread_restarts_total 0$/m);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
