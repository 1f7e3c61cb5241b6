import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { HANG_MS } from '../../support/clocks/hang.ts';
import { seed } from '../../support/seed.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { startFakeUpstream, type FakeUpstream } from '../../support/upstreams/fake-upstream.ts';
import { ask, start } from './support/start.ts';

let database: TestDatabase;
let pool: pg.Pool;
let upstream: FakeUpstream;
let key: string;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  upstream = await startFakeUpstream();
  ({ key } = await seed(pool, { upstreams: [upstream.url] }));
  env = { DATABASE_URL: database.url };
});
afterAll(async () => {
  await upstream.close();
  await pool.end();
  await database.drop();
});

it('serves the admin API alone with ROLE=admin', async () => {
  const weir = await start({ ...env, ROLE: 'admin' });
  const told = await fetch(`${weir.adminUrl}/metrics`);
  expect(told.status).toBe(200);
  expect(await told.text()).not.toContain('weir_requests');
  await expect(fetch(`${weir.url}/health`)).rejects.toThrow();
  expect(await weir.end('SIGTERM')).toBe(0);
});

it('serves requests alone with ROLE=gateway; goes on for SHUTDOWN_DELAY_MS, and tells load balancers to turn away', async () => {
  const weir = await start({
    ...env,
    ROLE: 'gateway',
    SHUTDOWN_DELAY_MS: '8000',
    SHUTDOWN_GRACE_MS: String(HANG_MS),
  });
  expect((await ask(weir, key)).status).toBe(200);
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(`${weir.adminUrl}${path}`)).status;
  expect(await Promise.all(['/', '/api/v1/health', '/health'].map(statusOf))).toEqual([
    404, 404, 200,
  ]);
  await expect
    .poll(async () => (await fetch(`${weir.adminUrl}/metrics`)).text())
    .toMatch(/^weir_requests_total\{status="200"\} 1$/m);

  expect((await fetch(`${weir.url}/ready`)).status).toBe(200);
  const ended = weir.end('SIGHUP');
  await expect.poll(async () => (await fetch(`${weir.url}/ready`)).status).toBe(503);
  const ready = await fetch(`${weir.url}/ready`);
  expect(await ready.json()).toMatchObject({ error: { code: 'shutting_down' } });
  expect((await fetch(`${weir.url}/health`)).status).toBe(200);
  const reply = await ask(weir, key);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('connection')).toBe('close');
  await reply.text();
  expect(await ended).toBe(0);
});
