import { expect } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { runCommand } from '../../support/command.ts';
import { openTestLedger, settledState } from '../../support/money.ts';
import { createDatabase } from '../../support/postgres.ts';
import { seed, seedAccount, seedKey, TEST_SECRET_KEY } from '../../support/seed.ts';
import { startWeir } from '../../support/weir.ts';
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

/** What a turn costs, in nanodollars. */
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
  readonly channelKind: 'anthropic' | 'gemini' | 'openai';
  /** Those that its upstream can be spoken to in; those of the kind if absent. */
  readonly channelProtocols?: readonly string[];
  /** What its upstream speaks, for the names of tests. */
  readonly upstreamName: string;
  readonly startUpstream: () => Promise<ModelUpstream>;
}

export interface ToolUser {
  readonly key: string;
  /** One per request that was charged, oldest first; waits until nothing is in flight. */
  bills(): Promise<readonly Bill[]>;
}

export interface Bill {
  readonly status: string;
  readonly costNanoUsd: number;
}

export interface ServedTools {
  /** Weir's origin. */
  readonly url: string;
  /** A user whose key may use one of the models. */
  newUser(publicId: string, creditNanoUsd?: number): Promise<ToolUser>;
  upstreamOf(publicId: string): ModelUpstream;
  /** How many requests Weir has answered with this status. */
  answered(status: number): Promise<number>;
  /** How many requests Weir has refused for want of money, whatever the protocol's status for it. */
  refusedForMoney(): Promise<number>;
  /** Stops Weir and the upstreams; what `npm run reconcile` said before. */
  close(): Promise<string>;
}

/** A whole Weir that sells these models, as an operator would run it. */
export async function serveTools(models: readonly ModelForSale[]): Promise<ServedTools> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  const groups = new Map<string, string>();
  const upstreams = new Map<string, ModelUpstream>();
  for (const { publicId, channelKind, channelProtocols, startUpstream } of models) {
    const upstream = await startUpstream();
    upstreams.set(publicId, upstream);
    const { groupId, channelIds } = await seed(pool, {
      upstreams: [upstream.url],
      creditNanoUsd: 0,
      outputTokensMax: OUTPUT_TOKENS_MAX,
      models: [{ publicId, upstreamName: `upstream-${publicId}` }],
    });
    groups.set(publicId, groupId);
    await pool.query('update channels set kind = $2, protocols = $3 where id = $1', [
      channelIds[0],
      channelKind,
      channelProtocols ?? null,
    ]);
  }
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
  const { ledger, close: closeLedger } = await openTestLedger(pool, null);
  const stores = { DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_KEY };
  const weir = await startWeir({
    ...stores,
    LOG_LEVEL: 'warn',
    GATEWAY_THREADS: '1',
    LEDGER_TIMEOUT_MS: '30000',
  });

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

  const answered = async (status: number): Promise<number> => {
    const page = await (await fetch(`${weir.adminUrl}/metrics`)).text();
    const line = new RegExp(`^weir_requests_total.*"${status}".* (\\d+)$`, 'm');
    return Number(line.exec(page)?.[1] ?? 0);
  };

  return {
    url: weir.url,
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
    refusedForMoney: async () => (await answered(402)) + (await answered(429)),
    answered,
    close: async () => {
      const { output } = await runCommand('reconcile', [], stores);
      const code = await weir.end('SIGTERM');
      await closeLedger();
      await pool.end();
      await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
      await database.drop();
      expect(code).toBe(0);
      return output;
    },
  };
}
