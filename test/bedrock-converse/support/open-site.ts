/** A gateway whose one channel is of kind `bedrock` and speaks Converse. */
import type pg from 'pg';
import { expect } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { startFakeGemini, type FakeGemini } from '../../support/upstreams/fake-gemini.ts';
import { startGatewayInProcess } from '../../support/gateway-in-process.ts';
import { openTestLedger, settledState } from '../../support/ledger/money.ts';
import { createDatabase } from '../../support/stores/postgres.ts';
import { seed } from '../../support/seed.ts';

const USD = 1_000_000_000;
const CREDIT = 100 * USD;
/** As Anthropic's own interface is billed, in nanodollars per million tokens. */
const PRICES = [4 * USD, 0.2 * USD, 5 * USD, 20 * USD, { cacheWrite1h: 8 * USD }];
const TIERS = { priority: 2_000_000 };
export const MODEL = 'claude';
export const UPSTREAM_MODEL = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';

export interface Site {
  readonly pool: pg.Pool;
  readonly url: string;
  readonly key: string;
  readonly upstream: FakeGemini;
  /** Returns the charge since the last call; waits until nothing is in flight. */
  charged(): Promise<number>;
  lastRecord(): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export async function openSite(): Promise<Site> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const upstream = await startFakeGemini();
  const { key, accountId } = await seed(pool, {
    upstreams: [upstream.url],
    creditNanoUsd: CREDIT,
    models: [{ publicId: MODEL }],
  });
  await pool.query('update channel_models set upstream_name = $1', [UPSTREAM_MODEL]);
  await pool.query(`update channels set kind = 'bedrock', protocols = '{bedrock-converse}'`);
  await pool.query(
    `update prices set input_nano_usd = $1, cached_input_nano_usd = $2, cache_write_nano_usd = $3,
       output_nano_usd = $4, extra_prices = $5, tiers = $6`,
    [...PRICES, TIERS],
  );
  const gateway = await startGatewayInProcess({ pool, databaseUrl: database.url }, (one) => one);
  const { ledger, close } = await openTestLedger(pool, null);
  let spent = 0;
  return {
    ...{ pool, url: gateway.url, key, upstream },
    charged: async () => {
      const state = await settledState(ledger, accountId);
      expect(state.heldNanoUsd).toBe(0);
      const before = spent;
      spent = CREDIT - state.availableNanoUsd;
      return spent - before;
    },
    lastRecord: async () => {
      const { rows } = await pool.query<Record<string, unknown>>(
        `select status, cost_nano_usd as cost, protocol, upstream_protocol as upstream, estimated,
           tier, output_tokens as output
         from usage_records order by created_at desc, request_id desc limit 1`,
      );
      return rows[0] ?? {};
    },
    close: async () => {
      await gateway.close();
      await close();
      await upstream.close();
      await pool.end();
      await database.drop();
    },
  };
}
