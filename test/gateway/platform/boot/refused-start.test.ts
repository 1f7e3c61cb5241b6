import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectRedis } from '../../../../gateway/stores/redis/connect.ts';
import { layEmbeddedDatabase } from '../../../support/embedded.ts';
import { freePort } from '../../../support/free-port.ts';
import {
  createDatabase,
  createEmptyDatabase,
  type TestDatabase,
} from '../../../support/postgres.ts';
import { type RedisServer, startRedis } from '../../../support/redis.ts';
import { TEST_SECRET_KEY } from '../../../support/seed.ts';
import { startWeir } from '../../../support/weir.ts';

// Whole processes, on machines that may be busy with other tests.
vi.setConfig({ testTimeout: 90_000 });

const MAIN = fileURLToPath(new URL('../../../../gateway/main.ts', import.meta.url));

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
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ADMIN_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 80_000,
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

it('ends with a sentence when Redis cannot be reached', async () => {
  const end = await refused({ ...stores(), REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
  expectSentence(end, /^Redis cannot be used \(.*\)\. Check that it runs and that REDIS_URL/m);
});

describe('on a Redis that holds the ledger of another database', () => {
  let server: RedisServer;
  const made: TestDatabase[] = [];
  const onNewDatabase = async (redisUrl: string): Promise<Record<string, string>> => {
    const own = await createEmptyDatabase();
    made.push(own);
    return { ...stores(), DATABASE_URL: own.url, REDIS_URL: redisUrl, GATEWAY_THREADS: '1' };
  };

  beforeAll(async () => {
    server = await startRedis({ appendonly: true });
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all(made.map((own) => own.drop()));
  });

  const serves = async (env: Record<string, string>): Promise<void> => {
    const weir = await startWeir(env);
    expect((await fetch(`${weir.url}/ready`)).status).toBe(200);
    expect(await weir.end('SIGTERM')).toBe(0);
  };

  it('ends with a sentence, also when both are of the same age, and leaves that ledger as it is', async () => {
    const owner = await onNewDatabase(`${server.url}/0`);
    await serves(owner);
    const sentence = /^Redis holds the ledger of another database.*Set DATABASE_URL to .*FLUSHDB/m;
    expectSentence(await refused(await onNewDatabase(`${server.url}/0`)), sentence);
    const elsewhere = await onNewDatabase(`${server.url}/1`);
    await serves(elsewhere);
    expectSentence(await refused({ ...elsewhere, REDIS_URL: `${server.url}/0` }), sentence);
    await serves(owner);
  });

  it('ends with a sentence when Redis does not say whose ledger it is, and starts once it is emptied', async () => {
    await serves(await onNewDatabase(`${server.url}/2`));
    const client = connectRedis(`${server.url}/2`);
    await client.connect();
    await client.del('{p00}:book');
    const other = await onNewDatabase(`${server.url}/2`);
    expectSentence(
      await refused(other),
      /^Redis and the database .* do not belong together: 64 of/m,
    );
    await client.flushdb();
    client.disconnect();
    await serves(other);
  });
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

it('ends with a sentence when the generated SECRET_KEY was damaged', async () => {
  const dataDir = mkdtempSync(join(folder, 'damaged-'));
  await layEmbeddedDatabase(dataDir);
  writeFileSync(join(dataDir, 'secret.key'), 'oops');
  expectSentence(await refused({ DATA_DIR: dataDir }), /^SECRET_KEY: .*secret\.key does not hold/m);
});

it('ends with a sentence when SECRET_KEY is not that of the database, which keeps its own', async () => {
  const own = await createDatabase();
  const env = { ...stores(), DATABASE_URL: own.url, GATEWAY_THREADS: '1' };
  expect(await (await startWeir(env)).end('SIGTERM')).toBe(0);
  const other = { ...env, SECRET_KEY: 'another secret key, of another database' };
  expectSentence(await refused(other), /^SECRET_KEY: is not the one under which this database/m);
  await own.drop();
});
