import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { connectRedis } from '../../gateway/stores/redis/connect.ts';
import { launchChromium } from './machine/chromium.ts';
import { createDatabase, createEmptyDatabase, startPostgres } from './stores/postgres.ts';
import { redisUrl, startRedis, startRedisCluster } from './stores/redis.ts';

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

  it('keeps committed rows through a kill when fsync is on', async () => {
    const server = await startPostgres({ fsync: true });
    await query(server.url, 'create table kept as select 1 as row');
    await server.kill();
    await expect(query(server.url, 'select 1')).rejects.toThrow();
    await server.restart();
    expect(await query(server.url, 'select row from kept')).toEqual([{ row: 1 }]);
    await server.stop();
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

  it('keeps data through a kill only with an append-only file', async () => {
    const kept = await startRedis({ appendonly: true, appendfsync: 'always' });
    const lost = await startRedis();
    for (const server of [kept, lost]) {
      await connect(server.url).set('key', 'value');
      await server.kill();
      await server.restart();
    }
    expect(await connect(kept.url).get('key')).toBe('value');
    expect(await connect(lost.url).get('key')).toBeNull();
    await Promise.all([kept.stop(), lost.stop()]);
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

  it('can be a cluster of three nodes', async () => {
    const cluster = await startRedisCluster();
    const client = connectRedis(cluster.url);
    await client.connect();
    for (const tag of ['a', 'b', 'c', 'd', 'e', 'f']) await client.set(`{${tag}}`, tag);
    const sizes = await Promise.all(cluster.nodes.map((node) => connect(node.url).dbsize()));
    expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(1);
    client.disconnect();
    await cluster.stop();
  });
});

it("the tests' Chromium shows a page", async () => {
  const browser = await launchChromium();
  const page = await browser.newPage();
  await page.setContent('<h1>Weir</h1>');
  expect(await page.textContent('h1')).toBe('Weir');
  await browser.close();
});
