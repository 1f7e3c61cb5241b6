import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { keyDigest, keyPrefix } from '../../gateway/platform/secrets/api-key.ts';
import { deriveSecrets, seal } from '../../gateway/platform/secrets/secrets.ts';
import type { SeededKeys } from '../keys.ts';
import { UNIT_PRICES, type ProtocolModel } from '../models.ts';

export interface SeedOptions {
  readonly upstreamPort: number;
  readonly keys: SeededKeys;
  /** Public IDs, which are also the upstream's names: they tell the load upstream what to do. */
  readonly models: readonly string[];
  /** Models of channels of their own, one for each protocol. */
  readonly protocolModels: readonly ProtocolModel[];
}

/** A million US dollars: more than any run spends. */
const BALANCE_NANO_USD = 1_000_000_000_000_000;

/** Nanodollars per million tokens: those of a small model. */
const INPUT_NANO_USD = 150_000_000;
const CACHED_INPUT_NANO_USD = 75_000_000;
const OUTPUT_NANO_USD = 600_000_000;

const MODELS = `
  with made as (
    insert into models (id, public_id, display_name, context_tokens_max, output_tokens_max)
    select gen_random_uuid(), name, name, 1000000, 32768 from unnest($1::text[]) as name
    returning id, public_id
  ), priced as (
    insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd,
      cache_write_nano_usd, output_nano_usd)
    select id, now() - interval '1 day', $2, $3, $2, $4 from made
  ), grouped as (
    insert into group_models (group_id, model_id) select $5, id from made
  )
  insert into channel_models (channel_id, model_id, upstream_name)
  select $6, id, coalesce($7, public_id) from made`;

const BY_UNITS = `
  update prices set input_nano_usd = 0, cached_input_nano_usd = 0, cache_write_nano_usd = 0,
    output_nano_usd = 0, extra_prices = $2
  where model_id in (select id from models where starts_with(public_id, $1))`;

const ACCOUNTS = `
  insert into accounts (id, name)
  select account, 'bench ' || account from unnest($1::uuid[]) as account`;

const CREDITS = `
  select add_credit('bench:' || account, account, $2, 'top_up', 'bench', 'system')
  from unnest($1::uuid[]) as account`;

const KEYS = `
  insert into keys (id, account_id, group_id, name, digest, prefix, rpm, has_check_letters)
  select gen_random_uuid(), account, $1, 'bench', digest, prefix, rpm, true
  from unnest($2::uuid[], $3::bytea[], $4::text[], $5::integer[]) as row (account, digest, prefix, rpm)`;

interface Upstream {
  readonly kind: string;
  /** The path of the channel's base address. */
  readonly path: string;
  readonly protocols: readonly string[] | null;
}

const CHAT_UPSTREAM: Upstream = { kind: 'openai', path: '/v1', protocols: null };
const UPSTREAMS: Readonly<Record<ProtocolModel['protocol'], Upstream>> = {
  messages: { kind: 'anthropic', path: '', protocols: null },
  responses: { kind: 'openai', path: '/v1', protocols: ['openai-responses'] },
  gemini: { kind: 'gemini', path: '', protocols: null },
  bedrock: { kind: 'bedrock', path: '', protocols: ['anthropic-messages'] },
};

/**
 * Writes everything the gateway has to know: a group, channels to the load upstream, models,
 * accounts, keys.
 */
export async function seed(pool: pg.Pool, options: SeedOptions): Promise<void> {
  const secrets = deriveSecrets(options.keys.secretKey);
  const groupId = randomUUID();
  await pool.query(`insert into groups (id, name) values ($1, 'bench')`, [groupId]);
  const addChannel = async (
    { kind, path, protocols }: Upstream,
    models: readonly string[],
    upstreamName: string | null,
  ): Promise<void> => {
    const channelId = randomUUID();
    const baseUrl = `http://127.0.0.1:${options.upstreamPort}${path}`;
    await pool.query(
      `insert into channels (id, name, kind, base_url, protocols, allow_private)
       values ($1, $2, $3, $4, $5, true)`,
      [channelId, `bench ${kind} ${channelId}`, kind, baseUrl, protocols],
    );
    await pool.query(
      `insert into channel_credentials (id, channel_id, sealed) values (gen_random_uuid(), $1, $2)`,
      [channelId, seal(secrets, 'sk-upstream-credential')],
    );
    const prices = [INPUT_NANO_USD, CACHED_INPUT_NANO_USD, OUTPUT_NANO_USD];
    await pool.query(MODELS, [models, ...prices, groupId, channelId, upstreamName]);
  };
  await addChannel(CHAT_UPSTREAM, options.models, null);
  for (const { publicId, upstreamName, protocol } of options.protocolModels) {
    await addChannel(UPSTREAMS[protocol], [publicId], upstreamName);
  }

  for (const [beginning, prices] of Object.entries(UNIT_PRICES)) {
    await pool.query(BY_UNITS, [beginning, prices]);
  }

  const { hot, many, limited, poor } = options.keys;
  const keys = [poor, limited, hot, ...many];
  const accounts = keys.map(() => randomUUID());
  await pool.query(ACCOUNTS, [accounts]);
  await pool.query(CREDITS, [accounts.slice(1), BALANCE_NANO_USD]);
  await pool.query(KEYS, [
    groupId,
    accounts,
    keys.map((key) => keyDigest(secrets, key)),
    keys.map(keyPrefix),
    keys.map((key) => (key === limited ? 1 : null)),
  ]);
  // Thousands of rows came at once; without statistics the first queries would be planned for none.
  await pool.query('analyze');
}
