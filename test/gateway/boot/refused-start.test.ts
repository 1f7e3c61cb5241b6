import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refuseOtherKey } from '../../../gateway/platform/secrets/refuse-other-key.ts';
import { deriveSecrets } from '../../../gateway/platform/secrets/secrets.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { layEmbeddedDatabase } from '../../support/embedded.ts';
import { HANG_MS } from '../../support/hang.ts';
import { freePort } from '../../support/free-port.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
import { runMark } from '../../support/run-remains.ts';
import { TEST_SECRET_KEY } from '../../support/seed.ts';
import { startWeir } from '../../support/weir.ts';

const MAIN = fileURLToPath(new URL('../../../gateway/main.ts', import.meta.url));

interface End {
  readonly code: number | null;
  readonly output: string;
}

let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weir-refused-'));
  database = await createDatabase();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

/** A start that must not succeed: how it ended, and everything it said. */
async function refused(env: Record<string, string>): Promise<End> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: { ...runMark(), PATH: process.env['PATH'] ?? '', PORT: '0', ADMIN_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANG_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stdout.on('data', (bytes) => (output += String(bytes)));
  child.stderr.on('data', (bytes) => (output += String(bytes)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

const stores = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  SECRET_KEY: TEST_SECRET_KEY,
});

/** One sentence is for a person; a stack is for nobody. */
function expectSentence({ code, output }: End, sentence: RegExp): void {
  expect(output).toMatch(sentence);
  expect(output).not.toMatch(/^ +at /m);
  expect(code).toBe(1);
}

it('ends with a sentence when a value is wrong', async () => {
  expectSentence(
    await refused({ PORT: 'many' }),
    /^PORT: "many" is not a whole number; write one/m,
  );
});

it('ends with a sentence when PostgreSQL cannot be reached', async () => {
  const port = await freePort();
  const end = await refused({
    ...stores(),
    DATABASE_URL: `postgres://weir@127.0.0.1:${port}/weir`,
  });
  expectSentence(
    end,
    /^PostgreSQL cannot be used \(.*\)\. Check that it runs and that DATABASE_URL/m,
  );
});

it('ends with a sentence when the server library cannot be loaded', async () => {
  const end = await refused({ ...stores(), UWS_MODULE: 'no-such-build' });
  expectSentence(end, /^UWS_MODULE: "no-such-build" cannot be loaded\. .*no-such-build/m);
});

it.each(['PORT', 'ADMIN_PORT'])('ends with a sentence when %s is in use', async (variable) => {
  const server = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port }, resolve));
  const end = await refused({ ...stores(), [variable]: String(port) });
  server.close();
  expectSentence(end, new RegExp(`^${variable}: ${port} .*set ${variable} to a free`, 'im'));
});

it('ends with a sentence when another Weir has DATA_DIR, which goes on', async () => {
  const env = { SECRET_KEY: '', DATA_DIR: join(folder, 'shared'), GATEWAY_THREADS: '1' };
  await layEmbeddedDatabase(env.DATA_DIR);
  const weir = await startWeir(env);
  expectSentence(await refused(env), /^DATA_DIR: .* is in use by another Weir process/m);
  expect((await fetch(`${weir.url}/ready`)).status).toBe(200);
  expect(await weir.end('SIGTERM')).toBe(0);
});

it('ends with a sentence when SECRET_KEY is not that of the database, which keeps its own', async () => {
  const pool = openPool(database.url, { connectionsMax: 1, applicationName: 'test' });
  await refuseOtherKey(pool, deriveSecrets(TEST_SECRET_KEY));
  await pool.end();
  const other = { ...stores(), SECRET_KEY: 'another secret key, of another database' };
  expectSentence(await refused(other), /^SECRET_KEY: is not the one under which this database/m);
});
