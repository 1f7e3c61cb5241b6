import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { createDatabase, createEmptyDatabase } from './stores/postgres.ts';
import { redisUrl, startRedis } from './stores/redis.ts';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe("the tests' PostgreSQL", () => {
  it('gives every caller a migrated database of its own', async () => {
    const [one, two] = await Promise.all([createDatabase(), createDatabase()]);
    await query(one.url, "insert into schema_migrations (name) values ('only in one')");
    const sql = "select name from schema_migrations where name in ('0001_core.sql', 'only in one')";
    expect(await query(one.url, sql)).toHaveLength(2);
    expect(await query(two.url, sql)).toEqual([{ name: '0001_core.sql' }]);
    await Promise.all([one.drop(), two.drop()]);
    await expect(query(one.url, 'select 1')).rejects.toThrow(/does not exist/);
  });

  it('gives an empty one to tests of the migrations', async () => {
    const database = await createEmptyDatabase();
    const tables = await query(database.url, "select 1 from pg_tables where schemaname = 'public'");
    expect(tables).toEqual([]);
    await database.drop();
  });
});

describe("the tests' Redis", () => {
  const clients: Redis[] = [];
  function connect(url: string): Redis {
    const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  }
  afterAll(() => {
    for (const client of clients) client.disconnect();
  });

  it('is shared, with the same empty database for the whole file', async () => {
    const url = await redisUrl();
    expect(await redisUrl()).toBe(url);
    const client = connect(url);
    expect(await client.dbsize()).toBe(0);
    await client.set('mine', '1');
    expect(await client.dbsize()).toBe(1);
  });

  it('can hang and go on', async () => {
    const server = await startRedis();
    const client = connect(server.url);
    await client.ping();
    server.pause();
    const pong = client.ping();
    const silence = new Promise((resolve) => setTimeout(resolve, 200, 'silence'));
    expect(await Promise.race([pong, silence])).toBe('silence');
    server.resume();
    expect(await pong).toBe('PONG');
    await server.stop();
  });
});
