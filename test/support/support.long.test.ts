import { Redis } from 'ioredis';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startPostgres } from './stores/postgres.ts';
import { startRedis } from './stores/redis.ts';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function onRedis<Result>(url: string, use: (client: Redis) => Promise<Result>) {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}

it("the tests' PostgreSQL keeps committed rows through a kill when fsync is on", async () => {
  const server = await startPostgres({ fsync: true });
  await query(server.url, 'create table kept as select 1 as row');
  await server.kill();
  await expect(query(server.url, 'select 1')).rejects.toThrow();
  await server.restart();
  expect(await query(server.url, 'select row from kept')).toEqual([{ row: 1 }]);
  await server.stop();
});

it("the tests' Redis keeps data through a kill only with an append-only file", async () => {
  const kept = await startRedis({ appendonly: true, appendfsync: 'always' });
  const lost = await startRedis();
  for (const server of [kept, lost]) {
    await onRedis(server.url, (client) => client.set('key', 'value'));
    await server.kill();
    await server.restart();
  }
  const valueAt = (url: string) => onRedis(url, (client) => client.get('key'));
  expect(await valueAt(kept.url)).toBe('value');
  expect(await valueAt(lost.url)).toBeNull();
  await Promise.all([kept.stop(), lost.stop()]);
});
