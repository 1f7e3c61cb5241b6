import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/hang.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
import { startWeir } from '../../support/weir.ts';

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

test('a process that says it is ready serves its console and its admin API, too', async () => {
  const [port, adminPort] = [await freePort(), await freePort()];
  const starting = startWeir({
    DATABASE_URL: database.url,
    ROLE: 'all',
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    GATEWAY_THREADS: '1',
  });
  await until('ready', async () => (await statusOf(`http://127.0.0.1:${port}/ready`)) === 200);
  expect(await statusOf(`http://127.0.0.1:${adminPort}/health`)).toBe(200);
  expect(await statusOf(`http://127.0.0.1:${adminPort}/metrics`)).toBe(200);
  const weir = await starting;
  expect(await weir.end('SIGTERM')).toBe(0);
});
