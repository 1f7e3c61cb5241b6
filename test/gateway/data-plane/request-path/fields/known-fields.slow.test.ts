import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DROPPED_FIELDS_HEADER } from '../../../../../gateway/data-plane/reply/client-reply.ts';
import {
  openPaths,
  PATHS,
  type Client,
  type PathCustomer,
  type Paths,
} from '../../relay/support/open-paths.ts';
import { eventsOf, vendorReply } from '../../relay/support/vendor-replies.ts';

/** Fields that would change what is served or charged from what is priced. */
const SMUGGLED = {
  extra_body: { model: 'o1-pro', service_tier: 'priority', fallbacks: ['x'] },
  api_key: 'sk-other',
  api_base: 'http://169.254.169.254',
  base_url: 'http://169.254.169.254',
  model_list: [{ model_name: 'x' }],
  user_config: { model_list: [] },
  web_search: { enable: true },
  'web-search': true,
  enable_enhancement: true,
  venice_parameters: { enable_web_search: 'on' },
  providerOptions: { gateway: { models: ['o1-pro'] } },
  litellm_metadata: { tags: ['x'] },
  extra_headers: { 'x-forwarded': '1' },
  custom_llm_provider: 'openai',
  num_retries: 5,
  mock_tool_calls: [],
  'weird "näme"\u2028': 1,
  __proto__x: { deep: { deeper: 1 } },
} as const;

let paths: Paths;

beforeAll(async () => {
  paths = await openPaths();
});

afterAll(async () => {
  await paths.close();
});

async function send(
  customer: PathCustomer,
  [client, upstream]: (typeof PATHS)[number],
  body: object,
  stream = false,
) {
  const { whole } = vendorReply(upstream);
  paths.upstream.reply = stream
    ? { contentType: 'text/event-stream', packets: eventsOf(vendorReply(upstream)) }
    : { contentType: 'application/json', packets: [JSON.stringify(whole)] };
  const response = await customer.ask(client, stream, body);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const received = JSON.parse(paths.upstream.bodies.at(-1) ?? '') as Record<string, unknown>;
  const dropped = (response.headers.get(DROPPED_FIELDS_HEADER) ?? '').split(', ').filter(Boolean);
  return { received, dropped };
}

describe.each(PATHS)('fields of %s over %s', (client, upstream) => {
  it('that are not known stay here, and the client is told', async () => {
    const customer = await paths.newCustomer(upstream);
    const plain = await send(customer, [client, upstream], {});
    expect(plain.dropped).toEqual([]);
    for (const stream of client === 'embeddings' ? [false] : [false, true]) {
      const { received, dropped } = await send(customer, [client, upstream], SMUGGLED, stream);
      if (!stream) expect(received).toEqual(plain.received);
      for (const name of Object.keys(SMUGGLED)) expect(received).not.toHaveProperty([name]);
      expect(JSON.stringify(received)).not.toMatch(/o1-pro|169\.254|sk-other/);
      for (const name of ['api_base', 'web-search', 'venice_parameters', 'model_list']) {
        expect(dropped).toContain(name);
      }
    }
  });
});

const NESTED: Readonly<Record<Client, object>> = {
  chat: {
    messages: [
      {
        role: 'user',
        content: [{ type: 'text', text: 'Hi', providerOptions: { models: ['o1-pro'] } }],
        extra_body: { model: 'o1-pro' },
      },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'f', parameters: {} },
        extra_body: { model: 'o1-pro' },
      },
    ],
    reasoning: { effort: 'low', provider: { only: ['o1-pro'] } },
    response_format: { type: 'json_object', extra: { model: 'o1-pro' } },
    stream_options: { include_usage: true, model: 'o1-pro' },
    metadata: { a: 'b', tags: { model: 'o1-pro' } },
    thinking: { type: 'enabled', model: { name: 'o1-pro' } },
    extra_body: { google: { thinking_config: { model: 'o1-pro' } } },
  },
  completions: { stream_options: { model: 'o1-pro' }, logit_bias: { 1: { model: 'o1-pro' } } },
  embeddings: { user: { model: 'o1-pro' } },
  responses: {
    reasoning: { effort: 'low', provider: { only: ['o1-pro'] } },
    text: { format: { type: 'text', extra: 'o1-pro' }, models: ['o1-pro'] },
    metadata: { a: { model: 'o1-pro' } },
  },
  messages: {
    messages: [{ role: 'user', content: 'Hi', extra_body: { model: 'o1-pro' } }],
    thinking: { type: 'disabled', extra_body: 'o1-pro' },
    tools: [{ name: 'f', input_schema: {}, extra_body: { model: 'o1-pro' } }],
    context_management: { edits: [{ type: 'clear_tool_uses_20250919', model: 'o1-pro' }] },
    metadata: { user_id: 'u', tags: { model: 'o1-pro' } },
    output_config: { effort: 'low', fallbacks: ['o1-pro'] },
  },
  gemini: {
    contents: [{ role: 'user', parts: [{ text: 'Hi' }], extra_body: { model: 'o1-pro' } }],
    generationConfig: { temperature: 0.5, routingConfig: { autoMode: { model: 'o1-pro' } } },
    generation_extra: { model: 'o1-pro' },
    toolConfig: { functionCallingConfig: { mode: 'AUTO', model: 'o1-pro' } },
    labels: { a: { model: 'o1-pro' } },
  },
};

it.each(PATHS)('nothing is smuggled one level down: %s over %s', async (client, upstream) => {
  const customer = await paths.newCustomer(upstream);
  for (const padding of ['', 'x'.repeat(4_000)]) {
    const body = JSON.parse(
      JSON.stringify(NESTED[client]).replaceAll('Hi', `Hi${padding}`),
    ) as object;
    const { received, dropped } = await send(customer, [client, upstream], body);
    expect(JSON.stringify(received)).not.toContain('o1-pro');
    expect(dropped.length).toBeGreaterThan(0);
  }
});

const WEB_SEARCH = [{ type: 'web_search' }];
const NAMESPACE = [{ type: 'namespace', name: 'n', tools: [{ type: 'mcp', server_url: 'x' }] }];
const USER = { type: 'message', role: 'user', content: 'Hi' };
const HTTPS_FILE = { fileUri: 'https://a.example/x.png', mimeType: 'image/png' };
const LONG = 'x'.repeat(4_000);

/**
 * Fields that would run or read something at the operator's account, in places that are easily
 * overlooked.
 */
it.each([
  ['responses', { input: [USER, { type: 'additional_tools', tools: WEB_SEARCH }] }],
  ['responses', { input: [USER, { type: 'tool_search_output', tools: NAMESPACE }] }],
  ['chat', { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] }],
  [
    'chat',
    {
      messages: [
        { role: 'user', content: LONG },
        { role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] },
      ],
    },
  ],
  [
    'gemini',
    { contents: [{ parts: [{ fileData: HTTPS_FILE, file_data: { file_uri: 'gs://x' } }] }] },
  ],
  ['gemini', { contents: [{ parts: [{ fileData: { ...HTTPS_FILE, file_uri: 'gs://x' } }] }] }],
  ['gemini', { contents: [{ parts: [{ FileData: { FileUri: 'gs://x' } }] }] }],
] as const)('%s refuses %j', async (client, body) => {
  const customer = await paths.newCustomer(client);
  const before = paths.upstream.bodies.length;
  expect((await customer.ask(client, false, body)).status).toBe(400);
  expect(paths.upstream.bodies.length).toBe(before);
});

it('a namespace has no tools of the upstream’s', async () => {
  const customer = await paths.newCustomer('responses');
  const { received } = await send(customer, ['responses', 'responses'], { tools: NAMESPACE });
  expect(received).not.toHaveProperty('tools');
});

it('an operator’s own upstream gets all fields, but for those that are never sent', async () => {
  const customer = await paths.newCustomer('chat', { fieldPolicy: 'all' });
  const body = { extra_body: SMUGGLED.extra_body, mine: { a: [1] }, service_tier: 'priority' };
  const { received, dropped } = await send(customer, ['chat', 'chat'], body);
  expect(received).toMatchObject({ extra_body: SMUGGLED.extra_body, mine: { a: [1] } });
  expect(received).not.toHaveProperty('service_tier');
  expect(dropped).toEqual(['service_tier']);
});

it('fields that vendors publish pass, byte for byte', async () => {
  const customer = await paths.newCustomer('chat');
  const body = {
    top_k: 5,
    seed: 12345678901234567000,
    chat_template_kwargs: { enable_thinking: false },
    reasoning: { effort: 'low', max_tokens: 5 },
    extra_body: { google: { thinking_config: { thinking_budget: 5 } } },
    guided_json: { type: 'object', properties: { a: { model: 1 } } },
    messages: [{ role: 'user', content: 'Hi', cache_control: { type: 'ephemeral' } }],
  };
  const { received, dropped } = await send(customer, ['chat', 'chat'], body);
  expect(received).toMatchObject(body);
  expect(dropped).toEqual([]);
});

it.each(PATHS)(
  'usage: {include: true} tells %s over %s what it costs',
  async (client, upstream) => {
    const customer = await paths.newCustomer(upstream);
    for (const stream of client === 'embeddings' ? [false] : [false, true]) {
      const { whole } = vendorReply(upstream);
      paths.upstream.reply = stream
        ? { contentType: 'text/event-stream', packets: eventsOf(vendorReply(upstream)) }
        : { contentType: 'application/json', packets: [JSON.stringify(whole)] };
      const response = await customer.ask(client, stream, { usage: { include: true } });
      const text = await response.text();
      expect(response.status, text).toBe(200);
      const [record] = await customer.records();
      const told = /"cost":([\d.e-]+)/.exec(text)?.[1];
      expect(Number(told)).toBe((record?.cost ?? 0) / 1e9);
      expect(paths.upstream.bodies.at(-1)).not.toContain('"include":true');
      expect(response.headers.get(DROPPED_FIELDS_HEADER)).toBeNull();
    }
  },
);
