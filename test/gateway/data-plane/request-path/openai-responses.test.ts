import { request as httpRequest } from 'node:http';
import type OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { parseEvents, responsesEvent } from '../../../support/clients/responses-events.ts';
import type { ResponsesUpstream } from '../../../support/upstreams/responses-upstream.ts';
import { TEST_PRICES } from '../../../support/seed.ts';
import {
  openResponsesService,
  type ResponsesCustomer,
  type ResponsesService,
} from './support/responses-service.ts';

let service: ResponsesService;
let native: ResponsesUpstream;
let chat: FakeUpstream;
let customer: ResponsesCustomer;
let client: OpenAI;
let spent = 0;

beforeAll(async () => {
  service = await openResponsesService();
  ({ first: native, chat } = service);
  customer = await service.newCustomer();
  ({ client } = customer);
});

afterAll(() => service.close());

beforeEach(() => {
  chat.reset();
  native.requests.length = 0;
});

async function charged(): Promise<number> {
  const before = spent;
  spent = await customer.spent();
  return spent - before;
}

/** TEST_PRICES are for a million tokens, and equal for cached and other input. */
function costOf(input: number, output: number): number {
  return (input * TEST_PRICES.inputNanoUsd + output * TEST_PRICES.outputNanoUsd) / 1_000_000;
}

const USAGE = {
  input_tokens: 1_000,
  input_tokens_details: { cached_tokens: 200, cache_write_tokens: 70 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 10 },
  total_tokens: 1_050,
};
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'upstream-model',
  error: null,
  incomplete_details: null,
  output: [] as object[],
};
const CALL = {
  id: 'fc_1',
  type: 'function_call',
  call_id: 'c1',
  name: 'f',
  arguments: '',
  status: 'in_progress',
};
const DONE_CALL = { ...CALL, arguments: '{"a":1}', status: 'completed' };
const AT = { item_id: 'fc_1', output_index: 0 };
const BEGUN = [
  responsesEvent('response.created', 0, { response: { ...RESPONSE, status: 'in_progress' } }),
  responsesEvent('response.output_item.added', 1, { output_index: 0, item: CALL }),
  responsesEvent('response.function_call_arguments.delta', 2, { ...AT, delta: '{"a"' }),
  responsesEvent('response.function_call_arguments.delta', 3, { ...AT, delta: ':1}' }),
];
const WHOLE = [
  ...BEGUN,
  responsesEvent('response.function_call_arguments.done', 4, {
    ...AT,
    name: 'f',
    arguments: '{"a":1}',
  }),
  responsesEvent('response.output_item.done', 5, { output_index: 0, item: DONE_CALL }),
  responsesEvent('response.completed', 6, {
    response: { ...RESPONSE, status: 'completed', output: [DONE_CALL], usage: USAGE },
  }),
];
const TOOLS = [
  {
    type: 'function' as const,
    name: 'f',
    strict: false,
    parameters: { type: 'object', properties: {} },
  },
];
const MODELS = ['native', 'over-chat'] as const;

/** The same call by either upstream, at the same counts. */
function callsTool(): void {
  native.script = { events: WHOLE };
  chat.behave('*', {
    kind: 'reply',
    pieces: [],
    toolCalls: [{ id: 'c1', name: 'f', fragments: ['{"a"', ':1}'] }],
    finishReason: 'tool_calls',
    usage: { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 1_050 },
  });
}

function says(text: string): void {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
  native.script = { body: { ...RESPONSE, status: 'completed', output: [message], usage: USAGE } };
  chat.behave('*', {
    kind: 'reply',
    pieces: [text],
    usage: { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 1_050 },
  });
}

describe.each(MODELS)('the OpenAI SDK and the model %s', (model) => {
  it('get a whole response, charged exactly', async () => {
    says('Good day');
    const response = await client.responses.create({ model, input: 'Hello' });
    expect(response).toMatchObject({ model, status: 'completed', output_text: 'Good day' });
    expect(response.usage).toMatchObject({ input_tokens: 1_000, output_tokens: 50 });
    expect(await charged()).toBe(costOf(1_000, 50));
  });

  it('stream a call of a tool and its result, charged exactly', async () => {
    callsTool();
    const input = [{ role: 'user' as const, content: 'Hello' }];
    const stream = client.responses.stream({ model, input, tools: TOOLS });
    const response = await stream.finalResponse();
    const [call] = response.output;
    expect(response.model).toBe(model);
    if (call?.type !== 'function_call') throw new Error('no call');
    expect(call).toMatchObject({ call_id: 'c1', name: 'f', arguments: '{"a":1}' });
    expect(await charged()).toBe(costOf(1_000, 50));

    says('done');
    const result = { type: 'function_call_output' as const, call_id: 'c1', output: 'ok' };
    const { id, call_id: callId, name, arguments: text } = call;
    const replayed = { type: 'function_call' as const, call_id: callId, name, arguments: text };
    expect(id).toBeTypeOf('string');
    const next = await client.responses.create({
      model,
      tools: TOOLS,
      input: [...input, replayed, result],
    });
    expect(next.output_text).toBe('done');
    expect(await charged()).toBe(costOf(1_000, 50));
  });

  it('count tokens at no charge', async () => {
    const { input_tokens: tokens } = await client.responses.inputTokens.count({
      model,
      input: 'Hello there',
    });
    expect(tokens).toBeGreaterThan(2);
    expect(await charged()).toBe(0);
    expect(native.requests).toEqual([]);
    expect(chat.requests).toEqual([]);
  });
});

it('the tool for images, whose images no price covers, stays here, so nothing of it is free', async () => {
  says('No image');
  // The upstream reports images that it was not asked for.
  const usage = { input_tokens: 9, output_tokens: 186, total_tokens: 195 };
  const { body } = native.script as { readonly body: object };
  native.script = { body: { ...body, tool_usage: { image_gen: usage } } };
  const tools = [{ type: 'image_generation' as const }, ...TOOLS];
  await client.responses.create({ model: 'native', input: 'Draw a cat', tools });
  expect(native.requests.at(-1)?.['tools']).toEqual(TOOLS);
  expect(await charged()).toBe(costOf(1_000, 50));
  const forced = client.responses.create({
    ...{ model: 'native', input: 'Draw a cat', tools },
    tool_choice: { type: 'image_generation' },
  });
  await expect(forced).rejects.toThrow(/the upstream runs itself at fees/);
  expect(await charged()).toBe(0);
});

describe.each(MODELS)('a stream of the model %s', (model) => {
  async function streamText(body: object = {}): Promise<string> {
    const response = await fetch(`${service.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: 'Hello', stream: true, ...body }),
    });
    return response.text();
  }

  it('that the upstream cuts ends as failed, and what was delivered is charged once', async () => {
    native.script = { events: BEGUN, cut: true };
    chat.behave('*', { kind: 'reply', pieces: ['a', 'b', 'c'], end: 'reset', cutAfterEvents: 3 });
    const events = parseEvents(await streamText());
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', model, error: { code: 'server_error' } },
    });
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(await charged()).toBeGreaterThan(0);
  });

  it('without its end is no whole reply', async () => {
    native.script = { events: BEGUN };
    chat.behave('*', { kind: 'reply', pieces: ['a', 'b', 'c'], end: 'eof', cutAfterEvents: 3 });
    expect(parseEvents(await streamText()).at(-1)?.type).toBe('response.failed');
    await charged();
  });
});

describe('a client of chat over an upstream of Responses', () => {
  it('gets a tool call in a stream, charged exactly', async () => {
    callsTool();
    const stream = client.chat.completions.stream({
      model: 'native',
      messages: [{ role: 'user', content: 'Hello' }],
      stream_options: { include_usage: true },
    });
    const { choices, usage } = await stream.finalChatCompletion();
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{"a":1}' } }] },
    });
    expect(usage).toMatchObject({ prompt_tokens: 1_000, completion_tokens: 50 });
    expect(native.requests[0]).toMatchObject({ model: 'upstream-model', store: false });
    expect(await charged()).toBe(costOf(1_000, 50));
  });
});

describe('a failure before anything was delivered', () => {
  it('is a plain error in the words of the upstream, at no charge', async () => {
    const error = {
      code: 'context_length_exceeded',
      message: 'Your input exceeds the context window.',
    };
    native.script = {
      events: [
        responsesEvent('response.failed', 0, {
          response: { ...RESPONSE, status: 'failed', error },
        }),
      ],
    };
    const asked = client.responses.create({ model: 'native', input: 'x', stream: true });
    await expect(asked).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' });
    expect(await charged()).toBe(0);
  });
});

describe('a client without money', () => {
  it.each([
    ['Codex', 429, 'codex_exec/0.169.0 (Debian 12.0.0; x86_64) xterm (codex_exec; 0.169.0)'],
    ['OpenAI’s SDK', 429, 'OpenAI/JS 7.57.0'],
    ['Cline', 402, 'ai-sdk/openai/4.0.47 ai-sdk/provider-utils/5.0.30 runtime/bun/1.3.13'],
    ['AI SDK 7', 402, 'ai/7.0.173 ai-sdk-provider-utils/5.0.81 node.js/22'],
    ['opencode', 402, 'opencode/1.18.33 ai-sdk/provider-utils/4.0.40 runtime/bun/1.3.14'],
  ])('is told in the way that %s takes as final', async (_name, status, agent) => {
    const { key } = await service.newCustomer(0);
    const response = await fetch(`${service.url}/v1/responses`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'user-agent': agent,
      },
      body: JSON.stringify({ model: 'native', input: 'Hello' }),
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.json()).toMatchObject({ error: { code: 'insufficient_quota' } });
  });
});

describe('what belongs to stored responses and sockets', () => {
  it('is refused as by a service without storage', async () => {
    const stored = client.responses.retrieve('resp_1');
    await expect(stored).rejects.toMatchObject({ status: 404, code: 'not_found' });
    await expect(client.responses.delete('resp_1')).rejects.toMatchObject({ status: 404 });
    await expect(client.responses.cancel('resp_1')).rejects.toMatchObject({ status: 404 });
  });

  it('a WebSocket without a key gets a 426, after which Codex uses HTTP at once', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'Z13dzaCiz7w13VKpFWQqUg==',
      };
      httpRequest(`${service.url}/v1/responses`, { headers })
        .on('response', (response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(426);
  });
});
