import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CatalogPublisher } from '../../../../gateway/catalog/publish.ts';
import { loadConfig } from '../../../../gateway/platform/config/config.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { Supervisor } from '../../../../gateway/data-plane/threads/supervisor.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { startGate, type Gate } from '../support/gate.ts';
import { HANG_MS, until } from '../../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { seed, TEST_SECRET_KEY, TEST_SECRETS, type Seeded } from '../../../support/seed.ts';

const THREADS = 2;
const ASKED_AFTERWARDS = 12;

let database: TestDatabase;
let pool: pg.Pool;
let upstream: FakeUpstream;
let gate: Gate;
let seeded: Seeded;
let supervisor: Supervisor;
let url: string;
const logger = pino({ level: 'silent' });

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  upstream = await startFakeUpstream();
  gate = await startGate(upstream.url);
  seeded = await seed(pool, { upstreams: [gate.url] });
  const config = loadConfig({
    DATABASE_URL: database.url,
    SECRET_KEY: TEST_SECRET_KEY,
    LOG_LEVEL: 'silent',
    LEDGER_TIMEOUT_MS: '50000',
  });
  const publisher = new CatalogPublisher({
    pool,
    secrets: TEST_SECRETS,
    logger,
    onSnapshot: () => undefined,
  });
  await publisher.publish();
  const port = await freePort();
  supervisor = new Supervisor({
    threads: THREADS,
    port,
    logger,
    start: () => ({
      minted: [],
      config,
      databaseUrl: database.url,
      redisUrl: null,
      secretKey: TEST_SECRET_KEY,
      workerThreads: 1,
      catalog: publisher.snapshot,
    }),
    onHopeless: () => undefined,
  });
  await supervisor.start();
  url = `http://127.0.0.1:${port}/v1/chat/completions`;
});

afterAll(async () => {
  expect(await supervisor.drain(HANG_MS)).toEqual({ unfinished: 0, givenUp: 0, ended: true });
  gate.close();
  await upstream.close();
  await pool.end();
  await database.drop();
});

/** One request on a connection of its own, so that both threads get some. */
async function ask(): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${seeded.key}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    body: JSON.stringify({
      model: 'test-model',
      stream: true,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
  const text = await response.text();
  expect(text).toContain('data: [DONE]');
  return response.status;
}

it('a thread that throws is replaced while it finishes its requests and the other serves', async () => {
  const inFlight: Promise<number>[] = [];
  // The kernel chooses the thread.
  await until('each thread has a request', async () => {
    inFlight.push(ask());
    const counters = await supervisor.counters();
    return counters.length === THREADS && counters.every((thread) => thread.inFlight > 0);
  });
  await until('all of them are at the upstream', () => gate.waiting() === inFlight.length);
  supervisor.send(0, { kind: 'crash' });
  await expect.poll(() => supervisor.status()[0]?.restarts).toBe(1);
  // While the one finishes and the other starts, new requests are served.
  gate.pass();
  expect(await ask()).toBe(200);
  gate.open();
  expect(await Promise.all(inFlight)).toEqual(inFlight.map(() => 200));
  await expect.poll(() => supervisor.status()[0]?.state).toBe('serving');
  expect(supervisor.status()[1]?.restarts).toBe(0);
  await Promise.all(Array.from({ length: ASKED_AFTERWARDS }, () => ask()));
  await expect
    .poll(async () =>
      (await supervisor.counters()).reduce((sum, { requests }) => sum + requests, 0),
    )
    .toBe(inFlight.length + 1 + ASKED_AFTERWARDS);
});
