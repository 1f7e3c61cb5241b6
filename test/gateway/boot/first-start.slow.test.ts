import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '@node-rs/argon2';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { shownKey } from '../../../gateway/boot/shown-key.ts';
import { keepDemoKey } from '../../../gateway/seed/demo-key.ts';
import { firstStart, type FirstStart } from '../../../gateway/seed/first-start.ts';
import { LISTED_MODELS } from '../../../gateway/pricing/price-list.ts';
import { loadSnapshot } from '../../../gateway/catalog/load-snapshot.ts';
import type { CatalogSnapshot } from '../../../gateway/catalog/snapshot.ts';
import { loadConfig } from '../../../gateway/platform/config/config.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { keyDigest } from '../../../gateway/platform/secrets/api-key.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { TEST_SECRETS } from '../../support/seed.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 6, applicationName: 'test' });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

function start(env: Record<string, string> = {}): Promise<FirstStart | null> {
  return firstStart(pool, {
    config: loadConfig(env),
    secrets: TEST_SECRETS,
    keepKey: (generated) => generated,
  });
}

async function snapshot(): Promise<CatalogSnapshot> {
  const loaded = await loadSnapshot(pool, {
    version: 1,
    secrets: TEST_SECRETS,
    onUnreadable: (channel) => {
      throw new Error(channel);
    },
  });
  return loaded.snapshot;
}

async function one<Row extends pg.QueryResultRow>(sql: string, ...values: unknown[]): Promise<Row> {
  const { rows } = await pool.query<Row>(sql, values);
  const [row, ...others] = rows;
  if (row === undefined || others.length > 0) throw new Error(`not one row: ${sql}`);
  return row;
}

describe('a first start', () => {
  it('makes four groups, models in them at their listed prices, and the demo channel that serves all', async () => {
    await start();
    const { groups, models, channels } = await snapshot();
    expect(groups.map(({ name }) => name)).toEqual([
      'general',
      'claude-tools',
      'gemini-cli',
      'mixed',
    ]);
    expect(models).toHaveLength(LISTED_MODELS.length);
    for (const { prices } of models) {
      expect(prices.inputNanoUsd).toBeGreaterThan(0);
      expect(prices.cachedInputNanoUsd).toBeLessThanOrEqual(prices.inputNanoUsd);
      expect(prices.outputNanoUsd).toBeGreaterThan(prices.inputNanoUsd);
    }
    expect(channels).toHaveLength(1);
    expect(channels[0]).toMatchObject({ name: 'demo', allowPrivate: true, credentials: [] });
    expect(channels[0]?.models).toHaveLength(models.length);
    const publicIds = (name: string): string[] => {
      const ids = groups.find((group) => group.name === name)?.modelIds ?? [];
      return models.filter(({ id }) => ids.includes(id)).map(({ publicId }) => publicId);
    };
    expect(publicIds('mixed')).toHaveLength(models.length);
    expect(publicIds('general').length).toBeGreaterThan(0);
    for (const id of publicIds('claude-tools')) expect(id).toMatch(/^claude-/);
    for (const id of publicIds('gemini-cli')) expect(id).toMatch(/^gemini-/);
    expect(models.find(({ publicId }) => publicId === 'gpt-6-luna')?.prices).toEqual({
      inputNanoUsd: 100_000_000,
      cachedInputNanoUsd: 10_000_000,
      cacheWriteNanoUsd: 125_000_000,
      outputNanoUsd: 500_000_000,
      perCallNanoUsd: 0,
      extra: { webSearch: 10_000_000 },
    });
    // Claude Code writes its cache for an hour where it is told to, and searches the web.
    expect(models.find(({ publicId }) => publicId === 'claude-opus-5-5')?.prices.extra).toEqual({
      cacheWrite1h: 8_000_000_000,
      webSearch: 10_000_000,
    });
    const costlier = models.filter(({ longContext }) => longContext !== null);
    expect(costlier.map(({ publicId }) => publicId)).toEqual(['gemini-3.1-pro-preview']);
    expect(costlier[0]?.longContext).toEqual({
      aboveTokens: 200_000,
      prices: {
        inputNanoUsd: 4_000_000_000,
        cachedInputNanoUsd: 400_000_000,
        cacheWriteNanoUsd: 4_000_000_000,
        outputNanoUsd: 18_000_000_000,
        perCallNanoUsd: 0,
        extra: { webSearch: 14_000_000 },
      },
    });
  });

  it('makes no channel that nobody would serve where roles are apart', async () => {
    const apart = { DATABASE_URL: 'postgres://db/weir', SECRET_KEY: 'k'.repeat(32), ROLE: 'admin' };
    expect(await start(apart)).toMatchObject({ hasChannel: false });
    const { models, channels } = await snapshot();
    expect(channels).toEqual([]);
    expect(models).toHaveLength(LISTED_MODELS.length);
  });

  it('makes the channel that UPSTREAM_BASE_URL names whatever the role', async () => {
    const apart = {
      DATABASE_URL: 'postgres://db/weir',
      SECRET_KEY: 'k'.repeat(32),
      ROLE: 'gateway',
    };
    const first = await start({ ...apart, UPSTREAM_BASE_URL: 'https://api.example.com/v1' });
    expect(first?.hasChannel).toBe(true);
    expect((await snapshot()).channels).toHaveLength(1);
  });

  it('makes an administrator with a generated password, credit in the book, and a first key', async () => {
    const first = await start();
    expect(first).toMatchObject({ adminEmail: 'admin@localhost', unlistedModels: [] });
    const user = await one<Record<string, string>>('select * from users');
    expect(user).toMatchObject({ email: 'admin@localhost', role: 'admin' });
    expect(user['password_hash']).toMatch(/^\$argon2id\$/);
    expect(first?.generatedPassword).toMatch(/^[\w-]{24}$/);
    expect(await verify(user['password_hash'] ?? '', first?.generatedPassword ?? '')).toBe(true);
    expect(
      await one('select balance_nano_usd as balance, credit_sequence as n from accounts'),
    ).toEqual({ balance: 10_000_000_000, n: 1 });
    expect(await one('select kind, amount_nano_usd as amount from credits')).toEqual({
      kind: 'bootstrap',
      amount: 10_000_000_000,
    });
    const key = await one<{ digest: Buffer; prefix: string; name: string }>(
      'select k.digest, k.prefix, g.name from keys k join groups g on g.id = k.group_id',
    );
    expect(first?.apiKey).toMatch(/^sk-[0-9A-Za-z]{43}$/);
    expect(key.digest.equals(keyDigest(TEST_SECRETS, first?.apiKey ?? ''))).toBe(true);
    expect(key).toMatchObject({ name: 'mixed', prefix: first?.apiKey.slice(0, 9) });
    expect((await snapshot()).uncheckedKeyPrefixes).toEqual([]);
  });

  it('takes what the operator gives, and does not repeat the password', async () => {
    const apiKey = `sk-${'Given0'.repeat(5)}`;
    const first = await start({
      BOOTSTRAP_ADMIN_EMAIL: 'Ops@Example.com',
      BOOTSTRAP_ADMIN_PASSWORD: 'correct horse battery',
      BOOTSTRAP_API_KEY: apiKey,
      BOOTSTRAP_CREDIT_USD: '0',
    });
    expect(first).toEqual({
      adminEmail: 'ops@example.com',
      generatedPassword: null,
      apiKey,
      unlistedModels: [],
      hasChannel: true,
    });
    const user = await one<{ password_hash: string }>('select password_hash from users');
    expect(await verify(user.password_hash, 'correct horse battery')).toBe(true);
    expect((await pool.query('select from credits')).rowCount).toBe(0);
    // It has no check letters: gateways know it by how it begins.
    expect((await snapshot()).uncheckedKeyPrefixes).toEqual(['sk-Given0']);
  });

  it('points a channel at UPSTREAM_BASE_URL with its key sealed, instead of the demo', async () => {
    await start({ UPSTREAM_BASE_URL: 'http://10.1.2.3/v1/', UPSTREAM_API_KEY: 'upstream-secret' });
    const { channels, models } = await snapshot();
    expect(channels).toHaveLength(1);
    expect(channels[0]).toMatchObject({
      baseUrl: 'http://10.1.2.3/v1',
      allowPrivate: true,
      credentials: ['upstream-secret'],
    });
    expect(channels[0]?.models).toHaveLength(models.length);
    const { sealed, hint } = await one<{ sealed: string; hint: string }>(
      'select sealed, hint from channel_credentials',
    );
    expect(sealed).not.toContain('upstream-secret');
    expect(hint).toBe('cret');
  });

  it('makes a channel of the kind and with the protocols that are set', async () => {
    await start({
      UPSTREAM_BASE_URL: 'https://weir.openai.azure.com',
      UPSTREAM_KIND: 'azure',
      UPSTREAM_PROTOCOLS: 'openai-responses, openai-chat',
    });
    expect((await snapshot()).channels[0]).toMatchObject({
      kind: 'azure',
      protocols: ['openai-responses', 'openai-chat'],
    });
  });

  it('serves the models of the vendor whose upstream it is', async () => {
    await start({ UPSTREAM_BASE_URL: 'https://api.anthropic.com', UPSTREAM_KIND: 'anthropic' });
    const { channels } = await snapshot();
    expect(channels[0]).toMatchObject({ kind: 'anthropic', protocols: null });
    const names = channels[0]?.models.map(({ upstreamName }) => upstreamName) ?? [];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toMatch(/^claude-/);
  });

  it('serves what UPSTREAM_MODELS names, and bills an unlisted model like the most expensive', async () => {
    const first = await start({
      UPSTREAM_BASE_URL: 'https://api.example.com/v1',
      UPSTREAM_MODELS: 'gpt-6-luna, local/llama:70b',
    });
    expect(first?.unlistedModels).toEqual(['local/llama:70b']);
    const { models, groups, channels } = await snapshot();
    expect(models.map(({ publicId }) => publicId)).toEqual(['gpt-6-luna', 'local/llama:70b']);
    expect(channels[0]?.models.map(({ upstreamName }) => upstreamName).toSorted()).toEqual([
      'gpt-6-luna',
      'local/llama:70b',
    ]);
    const [, unlisted] = models;
    // Claude Fable 5.1 is the most expensive listed: 10 in, 12.5 to write the cache, 50 out.
    expect(unlisted?.prices).toEqual({
      inputNanoUsd: 10_000_000_000,
      cachedInputNanoUsd: 10_000_000_000,
      cacheWriteNanoUsd: 12_500_000_000,
      outputNanoUsd: 50_000_000_000,
      perCallNanoUsd: 0,
      extra: { cacheWrite1h: 20_000_000_000, webSearch: 14_000_000 },
    });
    const mixed = groups.find(({ name }) => name === 'mixed');
    expect(mixed?.modelIds).toContain(unlisted?.id);
    // The others are kept, priced and disabled, for a channel to come.
    const kept = await one<{ n: number }>(
      `select count(*)::int as n from models m join prices p on p.model_id = m.id where m.status = 'disabled'`,
    );
    expect(kept.n).toBe(LISTED_MODELS.length - 1);
  });

  it('happens once, also when several processes start together', async () => {
    const outcomes = await Promise.all([start(), start(), start()]);
    expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1);
    expect(await one('select count(*)::int as n from users')).toEqual({ n: 1 });
    expect(await one('select count(*)::int as n from groups')).toEqual({ n: 4 });
    expect(await one('select count(*)::int as n from keys')).toEqual({ n: 1 });
    expect(await start()).toBeNull();
  });

  it('leaves nothing behind when it fails', async () => {
    const failing = firstStart(pool, {
      config: loadConfig({}),
      secrets: TEST_SECRETS,
      keepKey: () => {
        throw new Error('the disk is full');
      },
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(await one('select count(*)::int as n from groups')).toEqual({ n: 0 });
    expect(await start()).not.toBeNull();
  });

  it('touches no database that is in use', async () => {
    await pool.query(`insert into groups (id, name) values (gen_random_uuid(), 'mine')`);
    expect(await start()).toBeNull();
    expect(await one('select count(*)::int as n from users')).toEqual({ n: 0 });
  });
});

describe('a later start', () => {
  it('shows the first key of the embedded database as long as it works, and no other', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'weir-later-'));
    onTestFinished(() => {
      rmSync(dataDir, { recursive: true });
    });
    const first = await start();
    const shown = (env: Record<string, string>): Promise<string | null> =>
      shownKey({ config: loadConfig(env), pool, secrets: TEST_SECRETS }, null);
    expect(await shown({ DATA_DIR: dataDir })).toBeNull();
    keepDemoKey(dataDir, first?.apiKey ?? '');
    expect(await shown({ DATA_DIR: dataDir })).toBe(first?.apiKey);
    const own = { DATABASE_URL: 'postgres://db/weir', SECRET_KEY: 'k'.repeat(32) };
    expect(await shown({ ...own, DATA_DIR: dataDir })).toBeNull();
    await pool.query(`update keys set status = 'disabled'`);
    expect(await shown({ DATA_DIR: dataDir })).toBeNull();
  });
});
