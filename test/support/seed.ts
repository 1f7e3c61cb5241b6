import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { generateKey, keyDigest } from '../../gateway/platform/secrets/api-key.ts';
import { deriveSecrets, seal } from '../../gateway/platform/secrets/secrets.ts';

export const TEST_SECRET_KEY = 'a secret key for tests only, not for use';
export const TEST_SECRETS = deriveSecrets(TEST_SECRET_KEY);

const USD = 1_000_000_000;

export interface SeedOptions {
  /** Base URLs of channels, in order of priority. */
  readonly upstreams: readonly string[];
  readonly creditNanoUsd?: number;
  readonly multiplierPpm?: number;
  readonly models?: readonly { readonly publicId: string; readonly upstreamName?: string }[];
  readonly prices?: { readonly inputNanoUsd: number; readonly outputNanoUsd: number };
  readonly outputTokensMax?: number;
  readonly timeouts?: {
    readonly firstByteMs?: number;
    readonly idleMs?: number;
    readonly totalMs?: number;
  };
}

export interface Seeded {
  readonly accountId: string;
  readonly groupId: string;
  readonly keyId: string;
  readonly key: string;
  readonly channelIds: readonly string[];
  readonly upstreamCredential: string;
}

/** Prices in nanodollars per million tokens: easy to compute with by hand. */
export const TEST_PRICES = { inputNanoUsd: 2 * USD, outputNanoUsd: 10 * USD };

/** One account with credit, one group with models, channels that serve them, and one key. */
export async function seed(pool: pg.Pool, options: SeedOptions): Promise<Seeded> {
  const accountId = await seedAccount(pool, options.creditNanoUsd ?? 100 * USD);
  const groupId = randomUUID();
  await pool.query('insert into groups (id, name, multiplier_ppm) values ($1, $2, $3)', [
    groupId,
    `group ${groupId}`,
    options.multiplierPpm ?? 1_000_000,
  ]);
  const upstreamCredential = `upstream-${randomUUID()}`;
  const channelIds: string[] = [];
  for (const [index, baseUrl] of options.upstreams.entries()) {
    const channelId = randomUUID();
    channelIds.push(channelId);
    await pool.query(
      `insert into channels (id, name, base_url, priority, allow_private, first_byte_timeout_ms, idle_timeout_ms, total_timeout_ms)
       values ($1, $2, $3, $4, true, $5, $6, $7)`,
      [
        channelId,
        `channel ${channelId}`,
        baseUrl,
        100 - index,
        options.timeouts?.firstByteMs ?? 20_000,
        options.timeouts?.idleMs ?? 20_000,
        options.timeouts?.totalMs ?? 60_000,
      ],
    );
    await pool.query(
      'insert into channel_credentials (id, channel_id, sealed) values ($1, $2, $3)',
      [randomUUID(), channelId, seal(TEST_SECRETS, upstreamCredential)],
    );
  }
  for (const model of options.models ?? [{ publicId: 'test-model' }]) {
    await seedModel(pool, options, { ...model, groupId, channelIds });
  }
  const { keyId, key } = await seedKey(pool, accountId, groupId);
  return { accountId, groupId, keyId, key, channelIds, upstreamCredential };
}

export async function seedModel(
  pool: pg.Pool,
  options: Pick<SeedOptions, 'prices' | 'outputTokensMax'>,
  model: {
    publicId: string;
    upstreamName?: string;
    groupId: string;
    channelIds: readonly string[];
  },
): Promise<void> {
  const modelId = randomUUID();
  const prices = options.prices ?? TEST_PRICES;
  await pool.query(
    `insert into models (id, public_id, display_name, context_tokens_max, output_tokens_max)
     values ($1, $2, $2, 128000, $3)`,
    [modelId, model.publicId, options.outputTokensMax ?? 16_000],
  );
  await pool.query(
    `insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd, cache_write_nano_usd, output_nano_usd)
     values ($1, '2020-01-01', $2, $2, $2, $3)`,
    [modelId, prices.inputNanoUsd, prices.outputNanoUsd],
  );
  await pool.query('insert into group_models (group_id, model_id) values ($1, $2)', [
    model.groupId,
    modelId,
  ]);
  for (const channelId of model.channelIds) {
    await pool.query(
      'insert into channel_models (channel_id, model_id, upstream_name) values ($1, $2, $3)',
      [channelId, modelId, model.upstreamName ?? model.publicId],
    );
  }
}

export async function seedAccount(pool: pg.Pool, creditNanoUsd: number): Promise<string> {
  const accountId = randomUUID();
  await pool.query('insert into accounts (id, name) values ($1, $2)', [accountId, 'test account']);
  if (creditNanoUsd !== 0) {
    await pool.query('select add_credit($1, $2, $3, $4, $5, $6)', [
      randomUUID(),
      accountId,
      creditNanoUsd,
      'top_up',
      'seed',
      'test',
    ]);
  }
  return accountId;
}

export async function seedKey(
  pool: pg.Pool,
  accountId: string,
  groupId: string,
): Promise<{ keyId: string; key: string }> {
  const keyId = randomUUID();
  const { key, prefix } = generateKey(TEST_SECRETS);
  await pool.query(
    `insert into keys (id, account_id, group_id, name, digest, prefix, has_check_letters)
     values ($1, $2, $3, $4, $5, $6, true)`,
    [keyId, accountId, groupId, 'test key', keyDigest(TEST_SECRETS, key), prefix],
  );
  return { keyId, key };
}
