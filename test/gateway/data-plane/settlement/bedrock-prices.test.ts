/** The cost of Claude on Amazon Bedrock by its tier, its profile and its region. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedModel } from '../../../support/seed.ts';
import { expectReconciled } from '../../ledger/support/reconcile.ts';
import { openBedrock, PRICES, type BedrockSite } from './support/open-bedrock.ts';

const TIER_HEADER = 'x-amzn-bedrock-service-tier';
const TOKENS = { input_tokens: 1_000, output_tokens: 100 };
const COST = TOKENS.input_tokens * PRICES.input + TOKENS.output_tokens * PRICES.output;
const MESSAGE = {
  id: 'msg_bdrk_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Served.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  // What AWS writes there for every tier.
  usage: { ...TOKENS, service_tier: 'standard' },
};
const BODY = {
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello' }],
};

let site: BedrockSite;

beforeAll(async () => {
  site = await openBedrock(['', '']);
});

afterAll(() => site.close());

function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(site.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${site.key}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

function invoke(tier: string, stream: boolean): Promise<Response> {
  const operation = stream ? 'invoke-with-response-stream' : 'invoke';
  return post(`/model/us.anthropic.${site.model}-20250929-v1:0/${operation}`, BODY, {
    [TIER_HEADER]: tier,
  });
}

describe('a tier of InvokeModel', () => {
  it('stays here while the model has no price for it', async () => {
    site.aws.reply = () => ({ message: MESSAGE });
    const reply = await invoke('flex', false);
    expect(reply.status, await reply.text()).toBe(200);
    expect(reply.headers.get('x-weir-dropped-fields')).toBe(TIER_HEADER);
    expect(site.aws.requests.at(-1)?.headers).not.toHaveProperty(TIER_HEADER);
    expect(await site.charged()).toBe(COST);
  });

  it.each([false, true])(
    'is asked for and billed as the reply says; stream: %s',
    async (stream) => {
      await site.pool.query(`update prices set tiers = '{"flex": 500000, "priority": 1750000}'`);
      await site.republish();
      const cases = [
        { asked: 'flex', served: 'flex', factor: 0.5 },
        { asked: 'flex', served: 'default', factor: 1 },
        { asked: 'priority', served: 'priority', factor: 1.75 },
        // A report alone never costs more than was asked for.
        { asked: 'flex', served: 'priority', factor: 0.5 },
        { asked: 'priority', served: undefined, factor: 1 },
      ];
      for (const { asked, served, factor } of cases) {
        site.aws.reply = () => ({
          message: MESSAGE,
          ...(served !== undefined && { tier: served }),
        });
        const reply = await invoke(asked, stream);
        await reply.arrayBuffer();
        expect(reply.status).toBe(200);
        expect(reply.headers.get('x-weir-dropped-fields')).toBeNull();
        expect(reply.headers.get(TIER_HEADER)).toBe(served ?? null);
        expect(site.aws.requests.at(-1)?.headers).toHaveProperty(TIER_HEADER, asked);
        expect(await site.charged()).toBe(COST * factor);
      }
    },
  );

  it('is asked for by clients of chat completions too', async () => {
    site.aws.reply = () => ({ message: MESSAGE, tier: 'priority' });
    const { max_tokens, messages } = BODY;
    const reply = await post('/v1/chat/completions', {
      model: site.model,
      max_tokens,
      messages,
      service_tier: 'priority',
    });
    expect(reply.status, await reply.text()).toBe(200);
    expect(reply.headers.get('x-weir-dropped-fields')).toBeNull();
    expect(reply.headers.get(TIER_HEADER)).toBeNull();
    expect(site.aws.requests.at(-1)?.headers).toHaveProperty(TIER_HEADER, 'priority');
    expect(await site.charged()).toBe(COST * 1.75);
  });
});

interface Costs {
  readonly cost: string;
  readonly upstreamCost: string | null;
}

async function lastRecord(): Promise<Costs> {
  const { rows } = await site.pool.query<Costs>(
    `select cost_nano_usd::text as cost, upstream_cost_nano_usd::text as "upstreamCost"
     from usage_records order by created_at desc limit 1`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no record');
  return row;
}

describe('a profile or a region', () => {
  const PER_MILLION = 1_000_000;
  const GLOBAL = 'global.anthropic.claude-opus-5-5';
  /** In nanodollars a token: Weir's price, and what the channels of two regions pay. */
  const SOLD = { us: { input: 5_500, output: 27_500 }, global: { input: 5_000, output: 25_000 } };
  const PAID = [
    { us: { input: 4_400, output: 22_000 }, global: { input: 4_000, output: 20_000 } },
    { us: { input: 5_060, output: 25_300 }, global: { input: 4_600, output: 23_000 } },
  ];

  interface Price {
    readonly input: number;
    readonly output: number;
  }

  function costAt({ input, output }: Price): string {
    return String(TOKENS.input_tokens * input + TOKENS.output_tokens * output);
  }

  async function sell(name: 'us' | 'global', upstreamName: string): Promise<string> {
    const publicId = `claude-${name}-${randomUUID().slice(0, 8)}`;
    const { rows } = await site.pool.query<{ id: string }>('select id from groups limit 1');
    const { input, output } = SOLD[name];
    const prices = { inputNanoUsd: input * PER_MILLION, outputNanoUsd: output * PER_MILLION };
    await seedModel(
      site.pool,
      { prices },
      { publicId, upstreamName, groupId: rows[0]?.id ?? '', channelIds: site.channelIds },
    );
    for (const [index, channelId] of site.channelIds.entries()) {
      const paid = PAID[index]?.[name] ?? SOLD[name];
      await site.pool.query(
        `insert into upstream_prices (channel_id, model_id, effective_from, prices)
         select $1, id, '2020-01-01', $3 from models where public_id = $2`,
        [channelId, publicId, ownPrices(paid)],
      );
    }
    return publicId;
  }

  function ownPrices({ input, output }: Price): object {
    const [inputNanoUsd, outputNanoUsd] = [input * PER_MILLION, output * PER_MILLION];
    const prices = { inputNanoUsd, outputNanoUsd, perCallNanoUsd: 0 };
    const cached = { cachedInputNanoUsd: inputNanoUsd, cacheWriteNanoUsd: inputNanoUsd };
    return { prices: { ...prices, ...cached }, longContext: null };
  }

  it('is sold and bought at prices of its own, by its mapping', async () => {
    site.aws.reply = () => ({ message: MESSAGE });
    const models = {
      us: await sell('us', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'),
      global: await sell('global', GLOBAL),
    };
    for (const [region, paid] of PAID.entries()) {
      // The other region is away.
      await site.pool.query(
        `update channels set status = case when id = $1 then 'active' else 'disabled' end`,
        [site.channelIds[region]],
      );
      await site.republish();
      for (const name of ['us', 'global'] as const) {
        const { max_tokens, messages } = BODY;
        const reply = await post('/v1/messages', { model: models[name], max_tokens, messages });
        expect(reply.status, await reply.text()).toBe(200);
        expect(await site.charged()).toBe(Number(costAt(SOLD[name])));
        expect(await lastRecord()).toEqual({
          cost: costAt(SOLD[name]),
          upstreamCost: costAt(paid[name]),
        });
      }
    }
  });

  it('the books add up', () => expectReconciled(site.pool));
});
