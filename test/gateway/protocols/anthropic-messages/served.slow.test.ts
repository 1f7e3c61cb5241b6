import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  endEvents,
  readMessageStrictly,
  startEvent,
  textBlock,
  wire,
} from '../../../support/clients/messages-wire.ts';
import { PRICES, serve, type Served } from './support/serve.ts';

const PER_MILLION = 1_000_000;

/** One turn of Claude Code: 1,000 plain, 200 read, 30 and 40 written, 50 of output. */
const SPLIT = { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 40 };
const START_USAGE = {
  input_tokens: 1_000,
  cache_read_input_tokens: 200,
  cache_creation_input_tokens: 70,
  cache_creation: SPLIT,
  output_tokens: 1,
};
const END_USAGE = {
  input_tokens: 1_000,
  cache_read_input_tokens: 200,
  cache_creation_input_tokens: 70,
  output_tokens: 50,
};
const TURN_COST =
  (1_000 * PRICES.input +
    200 * PRICES.cachedInput +
    30 * PRICES.cacheWrite +
    40 * PRICES.cacheWrite1h +
    50 * PRICES.output) /
  PER_MILLION;

const STREAM = [
  startEvent(START_USAGE),
  textBlock(0, 'Hel', 'lo'),
  endEvents('end_turn', END_USAGE),
];
const REPLY = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-5',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { ...START_USAGE, output_tokens: 50 },
};
const HOUR = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const MARKED = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', ...HOUR }] }],
};

let served: Served;

beforeAll(async () => {
  served = await serve();
});

afterAll(async () => {
  await served.close();
});

function failure(type: string, message: string): object {
  return { type: 'error', error: { type, message } };
}

describe('a client of Messages and Anthropic', () => {
  it('pays each kind of token its own price, streamed', async () => {
    const customer = await served.newCustomer('anthropic');
    served.anthropic.script = () => ({ events: STREAM });
    const reply = await customer.messages({ stream: true, ...MARKED });
    expect(reply.headers.get('content-type')).toContain('text/event-stream');
    expect(reply.headers.get('request-id')).toMatch(/^[\w-]+$/);
    const message = readMessageStrictly(await reply.text());
    expect(message).toMatchObject({ model: customer.model, finished: true, usage: END_USAGE });
    expect(TURN_COST).toBe(5_510_000);
    expect(await customer.charged()).toBe(TURN_COST);
  });

  it('pays the same for the whole reply', async () => {
    const customer = await served.newCustomer('anthropic');
    served.anthropic.script = () => ({ json: REPLY });
    const reply = await customer.messages(MARKED);
    expect(await reply.json()).toEqual({ ...REPLY, model: customer.model });
    expect(await customer.charged()).toBe(TURN_COST);
  });

  it('is passed on with its own headers and the channel’s key', async () => {
    const customer = await served.newCustomer('anthropic');
    served.anthropic.script = () => ({ json: REPLY });
    const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'effort-2025-11-24' };
    await (await customer.messages({ speed: 'fast', tags: ['a'] }, headers)).text();
    const [seen] = served.anthropic.requests;
    expect(seen).toMatchObject({
      path: '/v1/messages',
      headers,
      body: { model: customer.upstreamModel, max_tokens: 64_000, tags: ['a'] },
    });
    expect(seen?.headers['x-api-key']).toMatch(/^upstream-/);
    expect(seen?.headers).not.toHaveProperty('authorization');
    expect(seen?.body).not.toHaveProperty('speed');
  });

  it('is served with two dollars, though it asks for 64,000 tokens', async () => {
    // In full they would be held as 1.28 dollars, and Claude Code asks several times at once.
    const customer = await served.newCustomer('anthropic', 250_000_000);
    served.anthropic.script = () => ({ events: STREAM });
    const reply = await customer.messages({ stream: true });
    expect(reply.status).toBe(200);
    expect(readMessageStrictly(await reply.text()).finished).toBe(true);
  });

  it('is told of an overload as Anthropic tells it, and pays nothing', async () => {
    const customer = await served.newCustomer('anthropic');
    const overloaded = failure('overloaded_error', 'Overloaded');
    served.anthropic.script = () => ({ status: 529, json: overloaded });
    const reply = await customer.messages({ stream: true });
    expect(reply.status).toBe(529);
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await reply.json()).toMatchObject({ error: { type: 'overloaded_error' } });
    expect(await customer.charged()).toBe(0);
  });

  it('is told of one that comes as the first event by its status, and pays nothing', async () => {
    const customer = await served.newCustomer('anthropic');
    const error = wire('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
    served.anthropic.script = () => ({ events: [startEvent(START_USAGE), error] });
    const reply = await customer.messages({ stream: true });
    expect(reply.status).toBe(529);
    expect(await customer.charged()).toBe(0);
  });

  it('reads Anthropic’s own words about its request', async () => {
    const customer = await served.newCustomer('anthropic');
    const message = 'prompt is too long: 210000 tokens > 200000 maximum';
    served.anthropic.script = () => ({
      status: 400,
      json: failure('invalid_request_error', message),
    });
    const reply = await customer.messages();
    expect(reply.headers.get('x-should-retry')).toBe('false');
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: { type: 'invalid_request_error', message } });
  });

  it('gets an error event when the stream is cut, and pays for what came', async () => {
    const customer = await served.newCustomer('anthropic');
    const cut = textBlock(0, 'Hel', 'lo').replace(wire('content_block_stop', { index: 0 }), '');
    served.anthropic.script = () => ({ events: [startEvent(START_USAGE), cut], cut: true });
    const reply = await customer.messages({ stream: true, ...MARKED });
    const { errors, finished } = readMessageStrictly(await reply.text());
    expect([errors, finished]).toMatchObject([[{ type: 'api_error' }], false]);
    const prompt = TURN_COST - (50 * PRICES.output) / PER_MILLION;
    expect(await customer.charged()).toBe(prompt + PRICES.output / PER_MILLION);
    expect(await customer.statuses()).toEqual(['upstream_disconnected']);
    expect(served.anthropic.requests).toHaveLength(1);
  });

  it('is refused a search without a price, so that the model goes on', async () => {
    const customer = await served.newCustomer('anthropic');
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }];
    const tool_choice = { type: 'tool', name: 'web_search' };
    const reply = await customer.messages({ tools, tool_choice });
    expect(reply.status).toBe(400);
    expect(served.anthropic.requests).toEqual([]);
  });
});

describe('without an upstream, a client of Messages', () => {
  it('has its tokens counted 28 times at once, for nothing', async () => {
    const customer = await served.newCustomer('anthropic');
    const counts = await Promise.all(
      Array.from({ length: 28 }, () =>
        customer.post('/v1/messages/count_tokens?beta=true', {
          model: customer.model,
          messages: [{ role: 'user', content: 'foo' }],
          tools: [],
        }),
      ),
    );
    for (const reply of counts) {
      expect(reply.status).toBe(200);
      const { input_tokens: tokens } = (await reply.json()) as { input_tokens: number };
      expect(tokens).toBeGreaterThan(0);
    }
    expect(await customer.charged()).toBe(0);
    const paths = served.anthropic.requests.map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set(['/v1/messages/count_tokens']));
  });

  it('finds models in Anthropic’s shape, and others in OpenAI’s', async () => {
    const customer = await served.newCustomer('anthropic');
    const { key, model } = customer;
    const list = await (await customer.get('/v1/models?limit=1000', { 'x-api-key': key })).json();
    const entry = { type: 'model', id: model, display_name: model, max_tokens: 64_000 };
    expect(list).toMatchObject({ data: [entry], has_more: false, first_id: model, last_id: model });
    const one = await customer.get(`/v1/models/${model}`, { 'x-api-key': key });
    expect(await one.json()).toMatchObject(entry);
    const other = await (
      await customer.get('/v1/models', { authorization: `Bearer ${key}` })
    ).json();
    expect(other).toMatchObject({ object: 'list' });
  });

  it('is told of a wrong key, path and model in Anthropic’s shape', async () => {
    const customer = await served.newCustomer('anthropic');
    const wrong = await customer.get('/v1/models', { 'x-api-key': 'sk-wrong' });
    expect(await wrong.json()).toMatchObject({ error: { type: 'authentication_error' } });
    const lost = await customer.post('/v1/nowhere', {});
    expect(await lost.json()).toMatchObject({ error: { type: 'not_found_error' } });
    const messages = [{ role: 'user', content: 'x' }];
    const none = await customer.post('/v1/messages', { model: 'none', max_tokens: 1, messages });
    expect(none.status).toBe(404);
    expect(await none.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
  });
});

describe('a client of Messages and an upstream of chat completions', () => {
  const USAGE = {
    prompt_tokens: 1_270,
    completion_tokens: 50,
    total_tokens: 1_320,
    prompt_tokens_details: { cached_tokens: 200, cache_write_tokens: 70 },
  };
  const COST =
    (1_000 * PRICES.input +
      200 * PRICES.cachedInput +
      70 * PRICES.cacheWrite +
      50 * PRICES.output) /
    PER_MILLION;
  const TOLD = {
    input_tokens: 1_000,
    cache_read_input_tokens: 200,
    cache_creation_input_tokens: 70,
    output_tokens: 50,
  };

  it.each([true, false])(
    'gets a message, and pays for its three kinds of prompt: stream %s',
    async (stream) => {
      const customer = await served.newCustomer('openai');
      served.openai.behave('*', { kind: 'reply', pieces: ['Hel', 'lo'], usage: USAGE });
      const reply = await customer.messages({ stream, system: 'S' });
      if (stream) {
        const message = readMessageStrictly(await reply.text());
        expect(message).toMatchObject({
          model: customer.model,
          blocks: [{ type: 'text', text: 'Hello' }],
          stopReason: 'end_turn',
          usage: TOLD,
          startUsage: { output_tokens: 0, cache_creation: {} },
        });
      } else {
        expect(await reply.json()).toMatchObject({
          type: 'message',
          model: customer.model,
          content: [{ type: 'text', text: 'Hello' }],
          stop_reason: 'end_turn',
          usage: TOLD,
        });
      }
      expect(served.openai.requests[0]?.body).toMatchObject({
        model: customer.upstreamModel,
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content: 'Hello' },
        ],
      });
      expect(await customer.charged()).toBe(COST);
    },
  );

  it('calls tools there, several at once', async () => {
    const customer = await served.newCustomer('openai');
    const toolCalls = [
      { id: 'call_1', name: 'f', fragments: ['{"a"', ':1}'] },
      { id: 'call_2', name: 'g', fragments: [] },
    ];
    served.openai.behave('*', { kind: 'reply', toolCalls });
    const tools = [
      { name: 'f', input_schema: { type: 'object' } },
      { name: 'g', input_schema: {} },
    ];
    const reply = await customer.messages({ stream: true, tools });
    const { blocks, stopReason } = readMessageStrictly(await reply.text());
    expect(blocks).toMatchObject([
      { type: 'tool_use', id: 'call_1', name: 'f', text: '{"a":1}' },
      { type: 'tool_use', id: 'call_2', name: 'g', text: '{}' },
    ]);
    expect(stopReason).toBe('tool_use');
  });

  it('is told in its own words that the prompt is too long', async () => {
    const customer = await served.newCustomer('openai');
    const message =
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.";
    served.openai.behave('*', {
      kind: 'status',
      status: 400,
      body: { error: { message, code: 'context_length_exceeded' } },
    });
    const reply = await customer.messages({ stream: true });
    expect(await reply.json()).toMatchObject({
      error: { message: 'prompt is too long: 130001 tokens > 128000 maximum' },
    });
  });

  it('gets an error event when the upstream breaks off', async () => {
    const customer = await served.newCustomer('openai');
    served.openai.behave('*', { kind: 'reply', pieces: 9, end: 'reset', cutAfterEvents: 3 });
    const reply = await customer.messages({ stream: true });
    const { errors, finished } = readMessageStrictly(await reply.text());
    expect([errors.length, finished]).toEqual([1, false]);
    expect(await customer.charged()).toBeGreaterThan(0);
  });
});

describe('a client of chat completions and Anthropic', () => {
  const COST = TURN_COST;
  const USAGE = {
    prompt_tokens: 1_270,
    completion_tokens: 50,
    prompt_tokens_details: { cached_tokens: 200, cache_write_tokens: 70 },
  };

  it('gets a completion, and pays the same', async () => {
    const customer = await served.newCustomer('anthropic');
    served.anthropic.script = () => ({ json: REPLY });
    const reply = await customer.chat({
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'U' },
      ],
    });
    expect(await reply.json()).toMatchObject({
      object: 'chat.completion',
      model: customer.model,
      choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: USAGE,
    });
    const [seen] = served.anthropic.requests;
    expect(seen).toMatchObject({
      path: '/v1/messages',
      headers: { 'anthropic-version': '2023-06-01' },
      body: {
        model: customer.upstreamModel,
        max_tokens: expect.any(Number) as number,
        system: [{ type: 'text', text: 'S' }],
        messages: [{ role: 'user', content: [{ type: 'text', text: 'U' }] }],
      },
    });
    expect(await customer.charged()).toBe(COST);
  });

  it('streams it, with the role first and the usage last', async () => {
    const customer = await served.newCustomer('anthropic');
    const thinking = { type: 'thinking', thinking: '', signature: '' };
    const delta = (fields: object): string =>
      wire('content_block_delta', { index: 0, delta: fields });
    const thought =
      wire('content_block_start', { index: 0, content_block: thinking }) +
      delta({ type: 'thinking_delta', thinking: 'Hm.' }) +
      delta({ type: 'signature_delta', signature: 'c2ln' }) +
      wire('content_block_stop', { index: 0 });
    const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };
    const called =
      wire('content_block_start', { index: 1, content_block: call }) +
      wire('content_block_delta', {
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '{"a":1}' },
      }) +
      wire('content_block_stop', { index: 1 });
    served.anthropic.script = () => ({
      events: [startEvent(START_USAGE), thought, called, endEvents('tool_use', END_USAGE)],
    });
    const reply = await customer.chat({ stream: true, stream_options: { include_usage: true } });
    const text = await reply.text();
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(text).toContain('"reasoning_content":"Hm."');
    expect(text).toContain('weir1.anthropic-messages.s.c2ln');
    expect(text).toContain('"index":0,"id":"toolu_1"');
    expect(text).toContain('"finish_reason":"tool_calls"');
    expect(text).toContain('"prompt_tokens":1270');
    expect(await customer.charged()).toBe(COST);
  });

  it('is told of an overload in its own shape', async () => {
    const customer = await served.newCustomer('anthropic');
    served.anthropic.script = () => ({
      status: 529,
      json: failure('overloaded_error', 'Overloaded'),
    });
    const reply = await customer.chat();
    expect(reply.status).toBe(503);
    expect(await reply.json()).toMatchObject({ error: { code: 'no_channel_available' } });
  });
});
