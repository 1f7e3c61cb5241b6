import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import {
  startAnthropicUpstream,
  type AnthropicUpstream,
} from '../../../../support/upstreams/anthropic-upstream.ts';
import {
  startFakeUpstream,
  type FakeUpstream,
} from '../../../../support/upstreams/fake-upstream.ts';
import { startGateway } from '../../../../support/gateway.ts';
import { until } from '../../../../support/clocks/hang.ts';
import { openTestLedger } from '../../../../support/ledger/money.ts';
import { createDatabase } from '../../../../support/stores/postgres.ts';
import { seed } from '../../../../support/seed.ts';

const USD = 1_000_000_000;
const CREDIT = 100 * USD;
const OUTPUT_TOKENS_MAX = 64_000;

/** Nanodollars per million tokens: a price of its own for each kind. */
export const PRICES = {
  input: 4 * USD,
  cachedInput: USD / 5,
  cacheWrite: 5 * USD,
  cacheWrite1h: 8 * USD,
  output: 20 * USD,
};

export interface Customer {
  readonly model: string;
  readonly key: string;
  /** The address of the gateway. */
  readonly url: string;
  /** The upstream's name of the model. */
  readonly upstreamModel: string;
  messages(body?: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
  chat(body?: object): Promise<Response>;
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
  get(path: string, headers: Readonly<Record<string, string>>): Promise<Response>;
  /** Returns the cost of the requests in nanodollars, when none is in flight. */
  charged(): Promise<number>;
  statuses(): Promise<readonly string[]>;
}

export interface Served {
  readonly anthropic: AnthropicUpstream;
  readonly openai: FakeUpstream;
  /** A customer whose model an upstream of this kind serves. */
  newCustomer(kind: 'anthropic' | 'openai', credit?: number, publicId?: string): Promise<Customer>;
  close(): Promise<void>;
}

/** A gateway between clients of Messages and chat completions and upstreams that speak either. */
export async function serve(env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const anthropic = await startAnthropicUpstream();
  const openai = await startFakeUpstream();
  const { ledger, close } = await openTestLedger(pool, null);
  const gateway = await startGateway({ databaseUrl: database.url, redisUrl: null, env });

  const newCustomer: Served['newCustomer'] = async (
    kind,
    credit = CREDIT,
    model = `model-${randomUUID()}`,
  ) => {
    anthropic.requests.length = 0;
    openai.reset();
    const upstreamModel = kind === 'anthropic' ? 'claude-sonnet-5' : 'gpt-5.5';
    const { accountId, key, channelIds } = await seed(pool, {
      upstreams: [kind === 'anthropic' ? anthropic.url : openai.url],
      creditNanoUsd: credit,
      outputTokensMax: OUTPUT_TOKENS_MAX,
      models: [{ publicId: model, upstreamName: upstreamModel }],
    });
    await pool.query('update channels set kind = $2 where id = $1', [channelIds[0], kind]);
    await pool.query(
      `insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd,
                           cache_write_nano_usd, output_nano_usd, extra_prices)
       select id, '2021-01-01', $2, $3, $4, $5, $6 from models where public_id = $1`,
      [
        model,
        PRICES.input,
        PRICES.cachedInput,
        PRICES.cacheWrite,
        PRICES.output,
        { cacheWrite1h: PRICES.cacheWrite1h },
      ],
    );
    await gateway.republish();
    const post = (
      path: string,
      body: object,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Response> =>
      fetch(gateway.url + path, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const asked = { model, messages: [{ role: 'user', content: 'Hello' }] };
    return {
      model,
      key,
      url: gateway.url,
      upstreamModel,
      post,
      messages: (body = {}, headers = {}) =>
        post('/v1/messages?beta=true', { ...asked, max_tokens: 64_000, ...body }, headers),
      chat: (body = {}) => post('/v1/chat/completions', { ...asked, ...body }),
      get: (path, headers) => fetch(gateway.url + path, { headers }),
      charged: async () => {
        const state = await until('nothing is in flight', async () => {
          const found = await ledger.accountState(accountId);
          return found?.inFlight === 0 && found;
        });
        expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0 });
        const { rows } = await pool.query<{ cost: string | null }>(
          'select sum(cost_nano_usd)::text as cost from usage_records where account_id = $1',
          [accountId],
        );
        const cost = credit - state.availableNanoUsd;
        expect(Number(rows[0]?.cost ?? 0)).toBe(cost);
        return cost;
      },
      statuses: async () => {
        const { rows } = await pool.query<{ status: string }>(
          'select status from usage_records where account_id = $1 order by created_at',
          [accountId],
        );
        return rows.map(({ status }) => status);
      },
    };
  };

  return {
    anthropic,
    openai,
    newCustomer,
    close: async () => {
      expect(await gateway.close()).toBe(0);
      await close();
      await Promise.all([anthropic.close(), openai.close(), pool.end()]);
      await database.drop();
    },
  };
}
