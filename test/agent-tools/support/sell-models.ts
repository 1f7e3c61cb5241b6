import { expect } from 'vitest';
import type pg from 'pg';
import { seal } from '../../../gateway/platform/secrets/secrets.ts';
import type { Ledger } from '../../../gateway/ledger/ledger.ts';
import { settledState } from '../../support/ledger/money.ts';
import { seed, seedAccount, seedKey, TEST_SECRETS } from '../../support/seed.ts';
import type { ModelUpstream, TurnUsage } from './model-upstream.ts';

const USD = 1_000_000_000;
const CREDIT = 100 * USD;
const OUTPUT_TOKENS_MAX = 64_000;
const PER_MILLION = 1_000_000;

/** Nanodollars per million tokens: a price of its own for each kind. */
const PRICES = {
  input: 4 * USD,
  cachedInput: USD / 5,
  cacheWrite: 5 * USD,
  cacheWrite1h: 8 * USD,
  output: 20 * USD,
};

/** Returns the cost of a turn, in nanodollars. */
export function costOf({ plain, cached, written, output }: TurnUsage): number {
  return (
    (plain * PRICES.input +
      cached * PRICES.cachedInput +
      written * PRICES.cacheWrite +
      output * PRICES.output) /
    PER_MILLION
  );
}

/** A model that Weir sells, and the upstream that it is bought from. */
export interface ModelForSale {
  readonly publicId: string;
  readonly channelKind: 'anthropic' | 'bedrock' | 'gemini' | 'openai' | 'vertex';
  /** Those that its upstream can be spoken to in; those of the kind if absent. */
  readonly channelProtocols?: readonly string[];
  /** It stores what it has replied, and the channel is marked for it. */
  readonly stores?: boolean;
  /** The upstream's name of the model; any if absent. */
  readonly upstreamModel?: string;
  /** The protocol of its upstream, for the names of tests. */
  readonly upstreamName: string;
  readonly startUpstream: () => Promise<ModelUpstream>;
}

/** A customer. */
export interface ToolUser {
  readonly key: string;
  /** One per request that was charged, oldest first; waits until nothing is in flight. */
  readonly bills: () => Promise<readonly Bill[]>;
}

export interface Bill {
  readonly status: string;
  readonly costNanoUsd: number;
}

/** Models that are for sale, in a database that a Weir is about to read. */
export interface Shop {
  /** A user whose key may use one of the models. */
  newUser(publicId: string, creditNanoUsd?: number): Promise<ToolUser>;
  upstreamOf(publicId: string): ModelUpstream;
  /** Stops the upstreams. */
  close(): Promise<void>;
}

/** Starts each model's upstream, and enters the models with their channels and prices. */
export async function sellModels(
  pool: pg.Pool,
  ledger: Ledger,
  models: readonly ModelForSale[],
): Promise<Shop> {
  const groups = new Map<string, string>();
  const upstreams = new Map<string, ModelUpstream>();
  for (const model of models) {
    const upstream = await model.startUpstream();
    upstreams.set(model.publicId, upstream);
    groups.set(model.publicId, await enterModel(pool, model, upstream));
  }
  await enterPrices(pool);

  const billsOf = async (accountId: string, credit: number): Promise<Bill[]> => {
    const state = await settledState(ledger, accountId);
    const { rows } = await pool.query<Bill>(
      `select status, cost_nano_usd::bigint as "costNanoUsd" from usage_records
       where account_id = $1 order by created_at`,
      [accountId],
    );
    const cost = rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0);
    expect(state).toMatchObject({ availableNanoUsd: credit - cost, owedNanoUsd: 0 });
    return rows;
  };

  return {
    newUser: async (publicId, creditNanoUsd = CREDIT) => {
      const accountId = await seedAccount(pool, creditNanoUsd);
      const { key } = await seedKey(pool, accountId, groups.get(publicId) ?? '');
      return { key, bills: () => billsOf(accountId, creditNanoUsd) };
    },
    upstreamOf: (publicId) => {
      const upstream = upstreams.get(publicId);
      if (upstream === undefined) throw new Error(`${publicId} is not for sale`);
      return upstream;
    },
    close: async () => {
      await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
    },
  };
}

/** Returns the id of the model's own group. */
async function enterModel(
  pool: pg.Pool,
  model: ModelForSale,
  { url, credential }: ModelUpstream,
): Promise<string> {
  const { publicId, channelKind, channelProtocols = null, stores = false } = model;
  const { upstreamModel: upstreamName = `upstream-${publicId}` } = model;
  const { groupId, channelIds } = await seed(pool, {
    upstreams: [url],
    creditNanoUsd: 0,
    outputTokensMax: OUTPUT_TOKENS_MAX,
    models: [{ publicId, upstreamName }],
  });
  await pool.query(
    'update channels set kind = $2, protocols = $3, stores_responses = $4 where id = $1',
    [channelIds[0], channelKind, channelProtocols, stores],
  );
  if (credential !== undefined) {
    await pool.query('update channel_credentials set sealed = $2 where channel_id = $1', [
      channelIds[0],
      seal(TEST_SECRETS, credential),
    ]);
  }
  return groupId;
}

async function enterPrices(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd,
                         cache_write_nano_usd, output_nano_usd, extra_prices)
     select id, '2021-01-01', $1, $2, $3, $4, $5 from models`,
    [
      PRICES.input,
      PRICES.cachedInput,
      PRICES.cacheWrite,
      PRICES.output,
      { cacheWrite1h: PRICES.cacheWrite1h },
    ],
  );
}
