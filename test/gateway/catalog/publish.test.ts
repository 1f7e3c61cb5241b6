import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { CatalogPublisher } from '../../../gateway/catalog/publish.ts';
import type { CatalogSnapshot } from '../../../gateway/catalog/snapshot.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { deriveSecrets, seal } from '../../../gateway/platform/secrets/secrets.ts';
import { until } from '../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { seed, TEST_SECRETS } from '../../support/seed.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  await seed(pool, { upstreams: ['http://127.0.0.1:9/v1/'] });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

function open(): { publisher: CatalogPublisher; published: CatalogSnapshot[]; log: string[] } {
  const published: CatalogSnapshot[] = [];
  const log: string[] = [];
  const publisher = new CatalogPublisher({
    pool,
    secrets: TEST_SECRETS,
    logger: pino({}, { write: (line) => log.push(line) }),
    onSnapshot: (snapshot) => published.push(snapshot),
  });
  onTestFinished(() => publisher.stop());
  return { publisher, published, log };
}

it('has nothing before it has loaded', () => {
  expect(() => open().publisher.snapshot).toThrow();
});

it('publishes snapshots whose versions grow, one at a time', async () => {
  const { publisher, published } = open();
  await Promise.all([publisher.publish(), publisher.publish(), publisher.publish()]);
  expect(published.map(({ version }) => version)).toEqual([1, 2, 3]);
  expect(publisher.snapshot).toBe(published[2]);
  expect(publisher.snapshot.channels[0]?.baseUrl).toBe('http://127.0.0.1:9/v1');
});

it('publishes a dated price when its time has come', async () => {
  const { publisher, published } = open();
  await pool.query(
    `insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd, cache_write_nano_usd, output_nano_usd)
     select id, now() + interval '1 hour', 7, 7, 7, 7 from models`,
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await publisher.publish();
  expect(published.at(-1)?.models[0]?.prices.inputNanoUsd).not.toBe(7);
  await pool.query('update prices set effective_from = now() where input_nano_usd = 7');
  vi.advanceTimersByTime(3_600_000);
  vi.useRealTimers();
  await until('the price', () => published.at(-1)?.models[0]?.prices.inputNanoUsd === 7);
});

it('goes on without a channel whose credential it cannot open, and says how to mend it', async () => {
  const { publisher, published, log } = open();
  const sealed = seal(deriveSecrets('some other key that was in force once'), 'x');
  await pool.query('update channel_credentials set sealed = $1', [sealed]);
  await publisher.publish();
  expect(published[0]?.channels).toEqual([]);
  expect(published[0]?.models).not.toEqual([]);
  expect(log.join('')).toContain('SECRET_KEY_PREVIOUS');
});
