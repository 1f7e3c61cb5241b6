import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkRedis } from '../../../gateway/ledger/redis/recovery/check-redis.ts';
import { SettingsWatch } from '../../../gateway/ledger/redis/recovery/settings-watch.ts';
import { connectRedis, type RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { until } from '../../support/clocks/hang.ts';
import { startRedis, startRedisCluster, type RedisServer } from '../../support/stores/redis.ts';

let server: RedisServer;
let redis: RedisClient;

beforeAll(async () => {
  server = await startRedis({ appendonly: true });
  redis = await connected(server.url);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function connected(url: string): Promise<RedisClient> {
  const client = connectRedis(url);
  await client.connect();
  return client;
}

/** A user of a hosted server, on which some commands are not allowed. */
async function connectWithout(...commands: readonly string[]): Promise<RedisClient> {
  const rules = commands.map((command) => `-${command}`);
  await redis.call(
    'ACL',
    'SETUSER',
    'hosted',
    'reset',
    'on',
    '>secret',
    '~*',
    '&*',
    '+@all',
    ...rules,
  );
  return connected(server.url.replace('redis://', 'redis://hosted:secret@'));
}

const settingsOf = async (client: RedisClient): Promise<string[]> =>
  (await checkRedis(client)).map(({ setting, severity }) => `${severity} ${setting}`);

it('finds nothing wrong with a server as it should be', async () => {
  expect(await checkRedis(redis)).toEqual([]);
});

it('asks INFO where CONFIG is not allowed, and names what neither says', async () => {
  const hosted = await connectWithout('config');
  expect(await settingsOf(hosted)).toEqual(['warning appendfsync']);
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await redis.config('SET', 'appendonly', 'no');
  expect(await settingsOf(hosted)).toEqual(['error maxmemory-policy', 'error appendonly']);
  await redis.config('SET', 'maxmemory-policy', 'noeviction');
  await redis.config('SET', 'appendonly', 'yes');
  hosted.disconnect();
});

it('says what it could not check where INFO is not allowed either', async () => {
  const hosted = await connectWithout('config', 'info');
  expect(await settingsOf(hosted)).toEqual([
    'warning version',
    'warning maxmemory-policy',
    'warning appendonly',
    'warning appendfsync',
  ]);
  hosted.disconnect();
});

it('logs a change once, however often it is checked, and its end', async () => {
  const lines: string[] = [];
  const note =
    (level: string) =>
    (_details: object, message: string): void =>
      void lines.push(`${level} ${message}`);
  const log = { info: note('info'), warn: note('warn'), error: note('error') };
  const watch = new SettingsWatch({ redis, log, checkEveryMs: 5 });
  await redis.config('SET', 'appendfsync', 'no');
  await until('the fault', () => watch.faults.length === 1);
  for (let checks = 0; checks < 5; checks += 1) await watch.check();
  await redis.config('SET', 'appendfsync', 'everysec');
  await until('no fault', () => watch.faults.length === 0);
  watch.stop();
  expect(lines).toEqual([
    expect.stringMatching(/^error .*appendfsync is no.*CONFIG REWRITE/),
    'info a setting of Redis is correct again',
  ]);
});

it('checks every primary of a cluster, and names the one that is wrong', async () => {
  const cluster = await startRedisCluster({ appendonly: true });
  const client = await connected(cluster.url);
  const [, second] = cluster.nodes;
  const alone = await connected(second?.url ?? '');
  await alone.config('SET', 'maxmemory-policy', 'volatile-lru');
  const faults = await checkRedis(client);
  expect(faults).toMatchObject([{ setting: 'maxmemory-policy', severity: 'error' }]);
  expect(faults[0]?.message).toContain(`Redis at 127.0.0.1:${second?.port} may evict`);
  alone.disconnect();
  client.disconnect();
  await cluster.stop();
});
