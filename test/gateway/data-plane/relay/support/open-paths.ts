import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway } from '../../../../support/gateway.ts';
import { until } from '../../../../support/clocks/hang.ts';
import { openTestLedger } from '../../../../support/ledger/money.ts';
import { createDatabase } from '../../../../support/stores/postgres.ts';
import { seed } from '../../../../support/seed.ts';
import { startRawUpstream, type RawUpstream } from './raw-upstream.ts';

export const CLIENTS = [
  'chat',
  'completions',
  'embeddings',
  'responses',
  'messages',
  'gemini',
] as const;
export type Client = (typeof CLIENTS)[number];

/** The protocols of the upstreams. */
export const UPSTREAMS = [...CLIENTS] as const;
export type Upstream = Client;

/** Pairs of a client's protocol and an upstream's between which there is a way. */
export const PATHS: readonly (readonly [Client, Upstream])[] = CLIENTS.flatMap((client) =>
  UPSTREAMS.filter(
    (upstream) => client === upstream || (generates(client) && generates(upstream)),
  ).map((upstream) => [client, upstream] as const),
);

function generates(protocol: Client): boolean {
  return protocol !== 'completions' && protocol !== 'embeddings';
}

const USD = 1_000_000_000;
const CREDIT = 1_000 * USD;
/** Nanodollars per million tokens. */
export const INPUT_PRICE = 2 * USD;
export const OUTPUT_PRICE = 10 * USD;

const CHANNELS: Readonly<
  Record<Upstream, { kind: string; protocols: string[] | null; base: string }>
> = {
  chat: { kind: 'openai', protocols: ['openai-chat'], base: '/v1' },
  completions: { kind: 'openai', protocols: ['openai-completions'], base: '/v1' },
  embeddings: { kind: 'openai', protocols: ['openai-embeddings'], base: '/v1' },
  responses: { kind: 'openai', protocols: ['openai-responses'], base: '/v1' },
  messages: { kind: 'anthropic', protocols: null, base: '' },
  gemini: { kind: 'gemini', protocols: null, base: '' },
};

export interface BilledRecord {
  readonly requestId: string;
  readonly input: number;
  readonly output: number;
  readonly cost: number;
  readonly status: string;
  readonly estimated: boolean;
  readonly capped: boolean;
}

/** A customer whose model is served by one upstream. */
export interface PathCustomer {
  readonly model: string;
  readonly channelId: string;
  ask(client: Client, stream: boolean, body?: object): Promise<Response>;
  /**
   * The records since the last call, when nothing is in flight; what is charged is what they say.
   */
  records(): Promise<readonly BilledRecord[]>;
}

export interface Paths {
  readonly upstream: RawUpstream;
  readonly pool: ReturnType<typeof openPool>;
  newCustomer(
    upstream: Upstream,
    channel?: { readonly fieldPolicy?: string; readonly lane?: string },
  ): Promise<PathCustomer>;
  republish(): Promise<void>;
  close(): Promise<void>;
}

/** A request of each protocol that asks for a word. */
export function requestOf(
  client: Client,
  model: string,
  stream: boolean,
): { path: string; body: object } {
  const streams = stream ? { stream } : {};
  switch (client) {
    case 'chat':
      return {
        path: '/v1/chat/completions',
        body: { model, messages: [{ role: 'user', content: 'Hi' }], ...streams },
      };
    case 'completions':
      return {
        path: '/v1/completions',
        body: { model, prompt: 'Hi', max_tokens: 100, ...streams },
      };
    case 'embeddings':
      return { path: '/v1/embeddings', body: { model, input: 'Hi' } };
    case 'responses':
      return { path: '/v1/responses', body: { model, input: 'Hi', ...streams } };
    case 'messages':
      return {
        path: '/v1/messages',
        body: { model, max_tokens: 1_000, messages: [{ role: 'user', content: 'Hi' }], ...streams },
      };
    case 'gemini':
      return {
        path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
        body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
      };
  }
}

/** A gateway with a ledger in PostgreSQL between clients of all protocols and one upstream. */
export async function openPaths(): Promise<Paths> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const upstream = await startRawUpstream();
  const { ledger, close } = await openTestLedger(pool, null);
  const gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });

  const newCustomer: Paths['newCustomer'] = async (spoken, { fieldPolicy, lane } = {}) => {
    const { kind, protocols, base } = CHANNELS[spoken];
    const model = `model-${randomUUID()}`;
    const { accountId, key, channelIds } = await seed(pool, {
      upstreams: [upstream.url + (lane === undefined ? '' : `/${lane}`) + base],
      creditNanoUsd: CREDIT,
      prices: { inputNanoUsd: INPUT_PRICE, outputNanoUsd: OUTPUT_PRICE },
      models: [{ publicId: model, upstreamName: 'upstream-name' }],
    });
    const [channelId = ''] = channelIds;
    await pool.query('update channels set kind = $2, protocols = $3 where id = $1', [
      channelId,
      kind,
      protocols,
    ]);
    if (fieldPolicy !== undefined) {
      await pool.query('update channels set field_policy = $2 where id = $1', [
        channelId,
        fieldPolicy,
      ]);
    }
    await gateway.republish();
    let seen = 0;
    let charged = 0;
    return {
      model,
      channelId,
      ask: (client, stream, body = {}) => {
        const asked = requestOf(client, model, stream);
        return fetch(gateway.url + asked.path, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ ...asked.body, ...body }),
        });
      },
      records: async () => {
        const state = await until('nothing is in flight', async () => {
          const found = await ledger.accountState(accountId);
          return found?.inFlight === 0 && found;
        });
        expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0 });
        const { rows } = await pool.query<BilledRecord>(
          `select request_id as "requestId", input_tokens::int as input, output_tokens::int as output, cost_nano_usd as cost,
                  status, estimated, capped
           from usage_records where account_id = $1 order by created_at, request_id offset $2`,
          [accountId, seen],
        );
        seen += rows.length;
        const cost = CREDIT - state.availableNanoUsd - charged;
        charged += cost;
        expect(rows.reduce((sum, row) => sum + row.cost, 0)).toBe(cost);
        return rows;
      },
    };
  };

  return {
    upstream,
    pool,
    newCustomer,
    republish: () => gateway.republish(),
    close: async () => {
      expect(await gateway.close()).toBe(0);
      await close();
      await Promise.all([upstream.close(), pool.end()]);
      await database.drop();
    },
  };
}
