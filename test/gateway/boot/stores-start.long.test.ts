import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { migrationNames } from '../../../gateway/stores/postgres/migrate.ts';
import { startFakeUpstream, type FakeUpstream } from '../../support/upstreams/fake-upstream.ts';
import { until } from '../../support/clocks/hang.ts';
import { createDatabase, createEmptyDatabase } from '../../support/stores/postgres.ts';
import { startRedis } from '../../support/stores/redis.ts';
import { seed } from '../../support/seed.ts';
import { startWeir } from '../../support/weir.ts';
import { startGate } from '../data-plane/support/gate.ts';
import { ask, start, untilNoRequestIsTaken } from './support/start.ts';

let upstream: FakeUpstream;

beforeAll(async () => {
  upstream = await startFakeUpstream();
});
afterAll(() => upstream.close());

it('two processes that start together on an empty database migrate and fill it once, and both serve', async () => {
  const database = await createEmptyDatabase();
  const pool = openPool(database.url, { connectionsMax: 1, applicationName: 'test' });
  const env = { DATABASE_URL: database.url, GATEWAY_THREADS: '1' };
  const both = await Promise.all([startWeir(env), startWeir(env)]);
  const { rows } = await pool.query(
    `select (select count(*)::int from users) as users, (select count(*)::int from groups) as groups,
            (select count(*)::int from schema_migrations) as migrations`,
  );
  expect(rows).toEqual([{ users: 1, groups: 4, migrations: migrationNames().length }]);
  const keys = both.map((weir) => /API key +(sk-\w+)/.exec(weir.output())?.[1]);
  expect(keys.filter((key) => key !== undefined)).toHaveLength(1);
  const key = keys.find((shown) => shown !== undefined) ?? '';
  for (const weir of both) {
    const response = await fetch(`${weir.url}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(200);
  }
  expect(await Promise.all(both.map((weir) => weir.end('SIGTERM')))).toEqual([0, 0]);
  await pool.end();
  await database.drop();
});

it('writes bills that Redis does not take until the end to the log, and tells so by its exit code', async () => {
  // A database belongs to one Redis.
  const [own, redis] = await Promise.all([createDatabase(), startRedis()]);
  const ownPool = openPool(own.url, { connectionsMax: 1, applicationName: 'test' });
  const ownGate = await startGate(upstream.url);
  const { key } = await seed(ownPool, { upstreams: [ownGate.url] });
  const weir = await start({ DATABASE_URL: own.url, REDIS_URL: redis.url });
  const asked = ask(weir, key, true);
  await until('the upstream is asked', () => ownGate.waiting() === 1);
  const ended = weir.end('SIGTERM');
  await redis.stop();
  ownGate.open();
  const response = await asked;
  const requestId = response.headers.get('x-request-id') ?? '';
  expect((await response.text()).trimEnd().endsWith('data: [DONE]')).toBe(true);
  expect(await ended).toBe(8);
  const given = weir
    .output()
    .split('\n')
    .filter((line) => line.includes('this call was given up'));
  expect(given).toHaveLength(1);
  expect(JSON.parse(given[0] ?? '')).toMatchObject({
    requestId,
    record: expect.stringContaining(requestId) as string,
  });
  ownGate.close();
  await ownPool.end();
  await own.drop();
});

it('says at the start what is wrong with Redis, and that a newer version has migrated the database; ends at once at a second signal', async () => {
  const [newer, redis] = await Promise.all([
    createDatabase(),
    startRedis({ maxmemoryPolicy: 'allkeys-lru' }),
  ]);
  const own = openPool(newer.url, { connectionsMax: 1, applicationName: 'test' });
  await own.query(`insert into schema_migrations (name) values ('9999_of_tomorrow.sql')`);
  const { key } = await seed(own, { upstreams: [upstream.url] });
  const weir = await start({ DATABASE_URL: newer.url, REDIS_URL: redis.url });
  await expect.poll(weir.output).toMatch(/maxmemory-policy is allkeys-lru\. Run/);
  expect(weir.output()).toContain('appendonly yes');
  expect(weir.output()).toMatch(/"migrations":\["9999_of_tomorrow\.sql"\].*newer version/);
  expect((await fetch(`${weir.url}/ready`)).status).toBe(200);

  upstream.behave('*', { kind: 'reply', end: 'hang', cutAfterEvents: 2 });
  const cut = (await ask(weir, key, true)).text().catch(() => undefined);
  let over = false;
  const ended = expect(weir.end('SIGINT').finally(() => (over = true))).rejects.toThrow(
    'SIGKILL ended Weir',
  );
  // npm passes on what the terminal has sent already: this is the same signal.
  process.kill(weir.pid, 'SIGINT');
  await untilNoRequestIsTaken(weir);
  expect((await fetch(`${weir.adminUrl}/health`)).status).toBe(200);
  await until('it ends at once', () => {
    if (!over) process.kill(weir.pid, 'SIGTERM');
    return over;
  });
  await ended;
  await cut;
  upstream.behave('*', { kind: 'reply' });
  await Promise.all([own.end(), redis.stop()]);
  await newer.drop();
});
