import { connect, type Socket } from 'node:net';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { seed, seedAccount, seedKey, type Seeded } from '../../../support/seed.ts';

const ROOM_BYTES = 400_000;
const BODY_BYTES_MAX = 200_000;
const CREDIT = 1_000_000_000_000;

let database: TestDatabase;
let pool: pg.Pool;
let upstream: FakeUpstream;
let seeded: Seeded;
let gateway: TestGateway;
let otherKey: string;
const held: Socket[] = [];

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 1, applicationName: 'test' });
  upstream = await startFakeUpstream();
  seeded = await seed(pool, { upstreams: [upstream.url], creditNanoUsd: CREDIT });
  const otherAccount = await seedAccount(pool, CREDIT);
  ({ key: otherKey } = await seedKey(pool, otherAccount, seeded.groupId));
  gateway = await startGateway({
    databaseUrl: database.url,
    redisUrl: null,
    env: {
      REQUEST_BODY_MEMORY_BYTES_MAX: String(ROOM_BYTES),
      REQUEST_BODY_BYTES_MAX: String(BODY_BYTES_MAX),
    },
  });
  // Known from now on, so that each is told from the other by its account.
  for (const key of [seeded.key, otherKey]) expect((await send(key, 0)).status).toBe(200);
});

afterEach(() => {
  for (const socket of held.splice(0)) socket.destroy();
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await Promise.all([upstream.close(), pool.end()]);
  await database.drop();
});

/** A request whose body has about so many bytes, a hundred more. */
function send(key: string, bytes: number): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'test-model',
      messages: [{ role: 'user', content: 'word '.repeat(bytes / 5) }],
    }),
  });
}

/** Begins a request of the first account and goes no further. Answers what comes back. */
function hold(headers: readonly string[], sent = ''): { readonly received: () => string } {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  held.push(socket);
  let received = '';
  socket.on('data', (data) => (received += data.toString()));
  socket.write(
    [
      'POST /v1/chat/completions HTTP/1.1',
      'host: weir',
      `authorization: Bearer ${seeded.key}`,
      ...headers,
      '',
      sent,
    ].join('\r\n'),
  );
  return { received: () => received };
}

it('lets nobody hold so many large bodies open that others cannot send theirs', async () => {
  hold([`content-length: ${BODY_BYTES_MAX}`, 'content-type: application/json']);
  await expect.poll(async () => (await send(seeded.key, 50_000)).status).toBe(429);
  const refused = await send(seeded.key, 50_000);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await refused.json()).toMatchObject({ error: { code: 'concurrency_limit_exceeded' } });
  expect((await send(otherKey, 90_000)).status).toBe(200);
  expect((await send(otherKey, 120_000)).status).toBe(503);
  expect((await send(seeded.key, 10_000)).status).toBe(200);
  held[0]?.destroy();
  await expect.poll(async () => (await send(seeded.key, 150_000)).status).toBe(200);
});

it('counts bodies that do not say how long they are', async () => {
  hold([`content-length: ${BODY_BYTES_MAX}`, 'content-type: application/json']);
  await expect.poll(async () => (await send(seeded.key, 50_000)).status).toBe(429);
  const chunk = `${(20_000).toString(16)}\r\n${'x'.repeat(20_000)}\r\n`;
  const headers = ['transfer-encoding: chunked', 'content-type: application/json'];
  const { received } = hold(headers, chunk);
  await expect.poll(received).toMatch(/^HTTP\/1\.1 429 .*concurrency_limit_exceeded/s);
});

it('keeps no room for a body whose request has been refused', async () => {
  const { received } = hold([`content-length: ${BODY_BYTES_MAX}`, 'content-type: text/plain']);
  await expect.poll(received).toMatch(/^HTTP\/1\.1 415 /);
  // And takes none for what comes after it.
  held[0]?.write('x'.repeat(100_000));
  expect((await send(seeded.key, 150_000)).status).toBe(200);
});
