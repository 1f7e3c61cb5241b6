import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientPath, ENDPOINTS } from '../../../../../gateway/protocols/registry.ts';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { createDatabase, type TestDatabase } from '../../../../support/stores/postgres.ts';
import { seed, type Seeded } from '../../../../support/seed.ts';

const ALLOWED = '203.0.113.7';
const FOREIGN = '198.51.100.66';

type Call = readonly [method: string, path: string];

/** Every path that a client can call with a key. */
const CALLS = ENDPOINTS.map((endpoint): Call => {
  const named = clientPath(endpoint).replace('{model}', 'test-model').replace('{id}', 'resp_1');
  return [endpoint.method, named.replace('{item}', 'item_1')];
});

let database: TestDatabase;
let pool: pg.Pool;
let seeded: Seeded;
let gateway: TestGateway;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  seeded = await seed(pool, { upstreams: [] });
  await pool.query('update keys set ip_allowlist = $2 where id = $1', [seeded.keyId, [ALLOWED]]);
  gateway = await startGateway({
    databaseUrl: database.url,
    redisUrl: null,
    env: { TRUSTED_PROXY_HOPS: '1' },
  });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await pool.end();
  await database.drop();
});

async function call([method, path]: Call, address: string): Promise<string> {
  const response = await fetch(gateway.url + path, {
    method,
    headers: {
      authorization: `Bearer ${seeded.key}`,
      'content-type': 'application/json',
      'x-forwarded-for': address,
    },
    ...(method === 'POST' ? { body: JSON.stringify({ model: 'test-model' }) } : {}),
  });
  return `${response.status} ${await response.text()}`;
}

it.each(CALLS)('%s %s refuses an address that the key does not allow', async (...to) => {
  // First the foreign one: the key is still looked up then.
  expect(await call(to, FOREIGN)).toMatch(/^40[03] .*198\.51\.100\.66/);
  expect(await call(to, ALLOWED)).not.toMatch(/^40[03] .*203\.0\.113\.7/);
});

it.each(CALLS)('%s %s asks for a key before anything else', async (method, path) => {
  const response = await fetch(`${gateway.url}${path}?stream=true`, { method });
  expect(response.status).toBe(401);
  await response.body?.cancel();
});
