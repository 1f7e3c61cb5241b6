import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDemoChannel } from '../../../gateway/seed/demo-channel.ts';
import { firstStart } from '../../../gateway/seed/first-start.ts';
import { loadSnapshot } from '../../../gateway/catalog/load-snapshot.ts';
import { loadConfig } from '../../../gateway/platform/config/config.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { TEST_SECRETS } from '../../support/seed.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  await firstStart(pool, {
    config: loadConfig({}),
    secrets: TEST_SECRETS,
    keepKey: (generated) => generated,
  });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

/** Names of the channels that serve each of these models, as gateways are told. */
async function servers(...publicIds: string[]): Promise<string[][]> {
  const { snapshot } = await loadSnapshot(pool, {
    version: 1,
    secrets: TEST_SECRETS,
    onUnreadable: (channel) => {
      throw new Error(channel);
    },
  });
  return publicIds.map((publicId) => {
    const id = snapshot.models.find((model) => model.publicId === publicId)?.id;
    const serving = snapshot.channels.filter(({ models }) =>
      models.some(({ modelId }) => modelId === id),
    );
    return serving.map(({ name }) => name);
  });
}

it('serves what no other active channel lists, and gives way as soon as one does', async () => {
  const [listed, other] = ['gpt-6-luna', 'gemini-3.1-pro-preview'] as const;
  expect(await servers(listed, other)).toEqual([['demo'], ['demo']]);
  const channelId = randomUUID();
  await pool.query(`insert into channels (id, name, base_url) values ($1, 'real', $2)`, [
    channelId,
    'https://api.example.com/v1',
  ]);
  await pool.query(
    `insert into channel_models (channel_id, model_id, upstream_name)
     select $1, id, public_id from models where public_id = $2`,
    [channelId, listed],
  );
  expect(await servers(listed, other)).toEqual([['real'], ['demo']]);
  await pool.query(`update channels set status = 'disabled' where id = $1`, [channelId]);
  expect(await servers(listed, other)).toEqual([['demo'], ['demo']]);
});

it('can be enabled after a start that found it disabled', async () => {
  await pool.query(`update channels set status = 'disabled'`);
  const upstream = await openDemoChannel(pool);
  const { rows } = await pool.query<{ url: string }>('select base_url as url from channels');
  await upstream?.close();
  expect(rows).toEqual([{ url: upstream?.url }]);
});

it('is not run where there is no channel for it', async () => {
  await pool.query('delete from channels');
  expect(await openDemoChannel(pool)).toBeNull();
});
