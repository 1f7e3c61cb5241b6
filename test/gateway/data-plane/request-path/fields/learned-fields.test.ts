import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { keepLearned } from '../../../../../gateway/catalog/learned-refusals.ts';
import { loadSnapshot } from '../../../../../gateway/catalog/load-snapshot.ts';
import type { LearnedField } from '../../../../../gateway/catalog/snapshot.ts';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { createDatabase } from '../../../../support/stores/postgres.ts';
import { seed, seedAccount, seedKey, TEST_SECRETS, type Seeded } from '../../../../support/seed.ts';
import { startRefusingUpstream, type RefusingUpstream } from '../support/refusing-upstream.ts';

const CREDIT = 1_000_000_000;

let pool: pg.Pool;
let upstream: RefusingUpstream;
let seeded: Seeded;
let gateway: TestGateway;
/** A second gateway on the same database. */
let other: TestGateway;

beforeAll(async () => {
  const database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  upstream = await startRefusingUpstream();
  seeded = await seed(pool, { upstreams: [upstream.url] });
  await pool.query(`update channels set protocols = '{openai-chat}'`);
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  other = await startGateway({ databaseUrl: database.url, redisUrl: null });
});

beforeEach(async () => {
  upstream.bodies.length = 0;
  upstream.refuse = (body) =>
    'seed' in body
      ? { error: { error: { message: "property 'seed' is unsupported" } } }
      : undefined;
  await pool.query('delete from learned_refusals');
  await gateway.republish();
  await other.republish();
});

afterAll(async () => {
  await gateway.close();
  await other.close();
  await upstream.close();
  await pool.end();
});

async function newKey(): Promise<string> {
  return (await seedKey(pool, await seedAccount(pool, CREDIT), seeded.groupId)).key;
}

/** Returns how many requests the upstream gets for one of a client's. */
async function ask(key: string, { url }: TestGateway): Promise<number> {
  const before = upstream.bodies.length;
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'test-model',
      seed: 1,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-weir-dropped-fields')).toBe('seed');
  return upstream.bodies.length - before;
}

/** The same, and what the thread learned is kept as the main thread keeps it. */
async function askAndLearn(key: string): Promise<void> {
  const learned = gateway.next('learned');
  expect(await ask(key, gateway)).toBe(2);
  await keepLearned(pool, (await learned).refusal);
  await gateway.republish();
  await other.republish();
}

async function snapshotOf(): Promise<readonly LearnedField[] | undefined> {
  const { snapshot } = await loadSnapshot(pool, {
    version: 1,
    secrets: TEST_SECRETS,
    onUnreadable: () => undefined,
  });
  return snapshot.channels[0]?.learned;
}

it('what one account’s request was refused is learned for that account, by all gateways', async () => {
  const key = await newKey();
  await askAndLearn(key);
  expect(await ask(key, gateway)).toBe(1);
  expect(await ask(key, other)).toBe(1);
  // A single customer takes nothing from the requests of others.
  expect(await ask(await newKey(), other)).toBe(2);
});

it('what requests of two accounts were refused is learned for all', async () => {
  await askAndLearn(await newKey());
  await askAndLearn(await newKey());
  expect(await ask(await newKey(), gateway)).toBe(1);
  expect(await ask(await newKey(), other)).toBe(1);
});

it('what is forgotten is tried again', async () => {
  const key = await newKey();
  await askAndLearn(key);
  expect(await ask(key, other)).toBe(1);
  await pool.query('delete from learned_refusals');
  await other.republish();
  expect(await ask(key, other)).toBe(2);
});

it('a refusal is kept for a day, unless an operator keeps it for good', async () => {
  const refusal = {
    channelId: seeded.channelIds[0] ?? '',
    upstreamModel: 'test-model',
    protocol: 'openai-chat',
    field: 'seed',
    accountId: await seedAccount(pool, 0),
    message: 'no',
  } as const;
  await keepLearned(pool, refusal);
  const [learned] = (await snapshotOf()) ?? [];
  const { rows } = await pool.query<{ at: Date }>(
    `select learned_at + interval '1 day' as at from learned_refusals`,
  );
  expect(learned).toEqual({
    upstreamModel: 'test-model',
    protocol: 'openai-chat',
    field: 'seed',
    accountId: refusal.accountId,
    untilMs: rows[0]?.at.getTime(),
  });
  // What has expired is no witness: another account's refusal begins it again.
  await pool.query(`update learned_refusals set expires_at = now() - interval '1 second'`);
  expect(await snapshotOf()).toEqual([]);
  const second = await seedAccount(pool, 0);
  await keepLearned(pool, { ...refusal, accountId: second });
  expect(await snapshotOf()).toMatchObject([{ accountId: second }]);
  await pool.query('update learned_refusals set expires_at = null');
  await keepLearned(pool, refusal);
  expect(await snapshotOf()).toMatchObject([{ accountId: null, untilMs: null }]);
});

it('a channel that was deleted meanwhile learns nothing', async () => {
  await keepLearned(pool, {
    channelId: '018f0000-0000-7000-8000-000000000000',
    upstreamModel: 'm',
    protocol: 'openai-chat',
    field: 'seed',
    accountId: seeded.accountId,
    message: '',
  });
  expect(await snapshotOf()).toEqual([]);
});
