import type OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ResponsesUpstream } from '../../../../support/upstreams/responses-upstream.ts';
import { TEST_PRICES } from '../../../../support/seed.ts';
import { openResponsesService, type ResponsesService } from '../support/responses-service.ts';

let service: ResponsesService;
let first: ResponsesUpstream;
let second: ResponsesUpstream;
let client: OpenAI;

beforeAll(async () => {
  service = await openResponsesService();
  ({ first, second } = service);
  ({ client } = await service.newCustomer());
});

afterAll(() => service.close());

const USAGE = {
  input_tokens: 1_000,
  input_tokens_details: { cached_tokens: 200, cache_write_tokens: 0 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 10 },
  total_tokens: 1_050,
};
const COMPACTION = {
  id: 'resp_c',
  object: 'response.compaction',
  created_at: 1,
  output: [
    { id: 'msg_1', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
    { id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAAA' },
  ],
  usage: USAGE,
};
const INPUT = [{ role: 'user' as const, content: 'Hello' }];
const LACKS = { status: 404, body: { error: { message: 'Invalid URL', code: null } } };

beforeEach(() => {
  for (const upstream of [first, second]) {
    upstream.seen.length = 0;
    upstream.others = ({ path }) =>
      path === '/v1/responses/compact' ? { status: 200, body: COMPACTION } : LACKS;
  }
});

/** TEST_PRICES are for a million tokens, and equal for cached and other input. */
const COST = (1_000 * TEST_PRICES.inputNanoUsd + 50 * TEST_PRICES.outputNanoUsd) / 1_000_000;

describe('POST /v1/responses/compact', () => {
  it('gives OpenAI’s SDK what the upstream has made, at exactly its usage', async () => {
    const account = await service.newCustomer();
    const compacted = await account.client.responses.compact({
      model: 'native',
      input: INPUT,
      instructions: 'Be brief',
      prompt_cache_key: 'session',
    });
    expect(compacted).toEqual(COMPACTION);
    expect(first.seen).toMatchObject([
      {
        method: 'POST',
        path: '/v1/responses/compact',
        body: { model: 'upstream-model', input: INPUT, instructions: 'Be brief' },
      },
    ]);
    expect(first.seen[0]?.body).not.toHaveProperty('max_output_tokens');
    expect(await account.spent()).toBe(COST);
  });

  it('goes on to the next channel where the first has no such path, and leaves it in service', async () => {
    for (const status of [404, 405, 501]) {
      first.others = () => ({ ...LACKS, status });
      const compacted = await client.responses.compact({ model: 'either', input: INPUT });
      expect(compacted.object).toBe('response.compaction');
    }
    first.script = {
      body: { id: 'resp_1', object: 'response', model: 'm', output: [], usage: USAGE },
    };
    second.seen.length = 0;
    await client.responses.create({ model: 'either', input: INPUT });
    expect(first.seen.at(-1)?.path).toBe('/v1/responses');
    expect(second.seen).toEqual([]);
  });

  it.each(['native', 'over-chat'])(
    'says so in OpenAI’s shape where no channel of %s can do it, at no charge',
    async (model) => {
      first.others = () => LACKS;
      const account = await service.newCustomer();
      const asked = account.client.responses.compact({ model, input: INPUT });
      await expect(asked).rejects.toMatchObject({
        status: 404,
        code: 'unknown_url',
        type: 'invalid_request_error',
        message: expect.stringContaining('compacts conversations') as unknown,
      });
      expect(await account.spent()).toBe(0);
    },
  );

  it('passes the upstream’s own refusal on, at no charge', async () => {
    first.others = () => ({
      status: 400,
      body: { error: { message: 'Too few items to compact.', type: 'invalid_request_error' } },
    });
    const account = await service.newCustomer();
    const asked = account.client.responses.compact({ model: 'native', input: INPUT });
    await expect(asked).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('Too few items') as unknown,
    });
    expect(await account.spent()).toBe(0);
  });

  it('is refused without the money for all that the model may write', async () => {
    const account = await service.newCustomer(COST);
    const asked = account.client.responses.compact({ model: 'native', input: INPUT });
    await expect(asked).rejects.toMatchObject({
      status: 429,
      code: 'insufficient_quota',
      message: expect.not.stringContaining('Infinity') as unknown,
    });
    expect(first.seen).toEqual([]);
    expect(await account.spent()).toBe(0);
  });

  it('refuses a stream, and tools at a fee that the model has no price for stay here', async () => {
    const tools = [{ type: 'web_search' }, { type: 'function', name: 'f', parameters: {} }];
    const body = { model: 'native', input: INPUT, tools } as { model: string };
    await client.responses.compact(body);
    expect(first.seen[0]?.body['tools']).toEqual([tools[1]]);
    const streamed = client.responses.compact({ ...body, stream: true } as { model: string });
    await expect(streamed).rejects.toMatchObject({ status: 400, param: 'stream' });
  });
});
