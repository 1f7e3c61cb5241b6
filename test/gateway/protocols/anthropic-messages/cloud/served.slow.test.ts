import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptedReply } from '../../../../support/upstreams/anthropic-upstream.ts';
import { until } from '../../../../support/clocks/hang.ts';
import {
  readBedrockStream,
  type BedrockStream,
} from '../../../../support/upstreams/event-stream.ts';
import { stringOf, type JsonObject } from '../../../../../gateway/platform/json/json-value.ts';
import {
  endEvents,
  eventsOf,
  readMessageStrictly,
  startEvent,
  textBlock,
  wire,
  type MessagesEvent,
} from '../../../../support/clients/messages-wire.ts';
import { PRICES, serve, type Customer, type Served } from '../support/serve.ts';

const PUBLIC_ID = 'claude-opus-9-20270101';
const BEDROCK_ID = `us.anthropic.${PUBLIC_ID}-v1:0`;
const VERTEX_ID = 'claude-opus-9@20270101';
const VERTEX_PATH = '/projects/p/locations/us-east5/publishers/anthropic/models/';

const USAGE = { input_tokens: 1_000, output_tokens: 50 };
const COST = (1_000 * PRICES.input + 50 * PRICES.output) / 1_000_000;
const STREAM = [startEvent(USAGE), textBlock(0, 'Hel', 'lo'), endEvents('end_turn', USAGE)];
const REPLY = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-5',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: USAGE,
};
const BODY = { max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
const BEDROCK_BODY = {
  anthropic_version: 'bedrock-2023-05-31',
  anthropic_beta: ['interleaved-thinking-2025-05-14', 'tool-search-tool-2025-10-19'],
  ...BODY,
};
const VERTEX_BODY = { anthropic_version: 'vertex-2023-10-16', ...BODY };

let served: Served;
let customer: Customer;

beforeAll(async () => {
  served = await serve({ KEEP_ALIVE_COMMENT_MS: '100' });
  customer = await served.newCustomer('anthropic', undefined, PUBLIC_ID);
});

afterAll(() => served.close());

async function readStream(reply: Response): Promise<BedrockStream> {
  expect(reply.headers.get('content-type')).toBe('application/vnd.amazon.eventstream');
  return readBedrockStream(Buffer.from(await reply.arrayBuffer()));
}

/** A slow machine sends them anywhere. */
function withoutPings(events: readonly MessagesEvent[]): MessagesEvent[] {
  return events.filter(({ name }) => name !== 'ping');
}

function invoke(model: string, body: object = BEDROCK_BODY, of = customer): Promise<Response> {
  return of.post(`/model/${model}/invoke`, body);
}

function stream(model: string, body: object = BEDROCK_BODY, of = customer): Promise<Response> {
  return of.post(`/model/${model}/invoke-with-response-stream`, body);
}

describe('a client of Amazon Bedrock', () => {
  it('gets the events of Messages as binary messages, and pays the same', async () => {
    served.anthropic.script = () => ({ events: STREAM });
    const before = await customer.charged();
    const plain = await customer.messages({ ...BODY, stream: true });
    const events = withoutPings(eventsOf(await plain.text()));
    expect(await customer.charged()).toBe(before + COST);
    const reply = await stream(BEDROCK_ID);
    expect(reply.headers.get('x-amzn-requestid')).toBe(reply.headers.get('x-request-id'));
    const framed = await readStream(reply);
    expect(withoutPings(framed.events)).toEqual(events);
    expect(framed.exception).toBeNull();
    expect(await customer.charged()).toBe(before + 2 * COST);
  });

  it('is passed on as an ordinary client of Messages', async () => {
    served.anthropic.script = ({ body }) =>
      body['stream'] === true ? { events: STREAM } : { json: REPLY };
    served.anthropic.requests.length = 0;
    const beta = 'effort-2025-11-24, tool-search-tool-2025-10-19';
    const headers = { 'anthropic-beta': beta, 'content-type': '' };
    const path = `/model/${BEDROCK_ID}/invoke`;
    const whole = await customer.post(path, { ...BEDROCK_BODY, stream: true }, headers);
    expect(await whole.json()).toEqual({ ...REPLY, model: PUBLIC_ID });
    await (await stream(BEDROCK_ID)).arrayBuffer();
    const asked = { ...BODY, model: customer.upstreamModel };
    expect(served.anthropic.requests).toMatchObject([
      { path: '/v1/messages', body: asked },
      { path: '/v1/messages', body: { ...asked, stream: true } },
    ]);
    const [first, second] = served.anthropic.requests;
    expect(first?.body).toEqual(asked);
    expect(second?.body).toEqual({ ...asked, stream: true });
    expect(first?.headers).toMatchObject({
      'anthropic-version': '2023-06-01',
      'anthropic-beta':
        'effort-2025-11-24,tool-search-tool-2025-10-19,interleaved-thinking-2025-05-14',
    });
  });

  it.each([
    BEDROCK_ID,
    BEDROCK_ID.replace(':', '%3A'),
    PUBLIC_ID,
    `anthropic.${PUBLIC_ID}`,
    encodeURIComponent(
      `arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.${PUBLIC_ID}-v1:0`,
    ),
    `arn:aws:bedrock:us-east-1::foundation-model/anthropic.${PUBLIC_ID}-v1:0`,
  ])('finds the model as %s', async (id) => {
    served.anthropic.script = () => ({ json: REPLY });
    expect(await (await invoke(id)).json()).toMatchObject({ model: PUBLIC_ID });
  });

  it('is told of the model as it has named it', async () => {
    const reply = await invoke('us.anthropic.claude-none-v1:0');
    expect(reply.status).toBe(404);
    expect(reply.headers.get('x-amzn-errortype')).toBe('ResourceNotFoundException');
    expect(reply.headers.get('x-should-retry')).toBe('false');
    const { message } = (await reply.json()) as { message: string };
    expect(message).toContain('The model "us.anthropic.claude-none-v1:0" does not exist.');
  });

  it('is never told 403, which its clients take for keys that are about to change', async () => {
    const other = await served.newCustomer('anthropic', undefined, 'claude-opus-8');
    const notSold = await invoke(BEDROCK_ID, BEDROCK_BODY, other);
    expect(notSold.status).toBe(404);
    expect(notSold.headers.get('x-amzn-errortype')).toBe('ResourceNotFoundException');
    expect(await notSold.json()).toEqual({
      message: expect.stringContaining('group that does not include') as string,
    });
    const vertex = await other.post(`${VERTEX_PATH}${VERTEX_ID}:rawPredict`, VERTEX_BODY);
    expect(vertex.status).toBe(404);
    expect(await vertex.json()).toMatchObject({
      error: { type: 'not_found_error', details: { error_code: 'model_not_allowed' } },
    });
    const mantle = await other.post('/anthropic/v1/messages', { ...BODY, model: PUBLIC_ID });
    expect(mantle.status).toBe(404);
    expect((await other.post('/v1/messages', { ...BODY, model: PUBLIC_ID })).status).toBe(403);
  });

  it('that signs its request is told to send a key', async () => {
    const reply = await fetch(`${customer.url}/model/${BEDROCK_ID}/invoke`, {
      method: 'POST',
      headers: {
        authorization:
          'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261128/us-east-1/bedrock/aws4_request, SignedHeaders=host, Signature=00',
      },
      body: JSON.stringify(BEDROCK_BODY),
    });
    expect(reply.status).toBe(401);
    expect(reply.headers.get('x-amzn-errortype')).toBe('UnrecognizedClientException');
    expect(reply.headers.get('x-should-retry')).toBe('false');
    const { message } = (await reply.json()) as { message: string };
    expect(message).toContain('AWS_BEARER_TOKEN_BEDROCK');
  });

  it('without money is told so, and asked to come later only where that helps', async () => {
    const poor = await served.newCustomer('anthropic', 0, 'claude-opus-7');
    const reply = await stream('anthropic.claude-opus-7', BEDROCK_BODY, poor);
    expect(reply.status).toBe(402);
    expect(reply.headers.get('x-should-retry')).toBe('false');
    expect(await reply.json()).toEqual({
      message: expect.stringContaining('does not cover this request') as string,
    });
  });

  it('is kept alive by pings, before the first byte of its upstream too', async () => {
    const { promise, resolve } = Promise.withResolvers<ScriptedReply>();
    served.anthropic.script = () => promise;
    const reply = await stream(BEDROCK_ID);
    expect(reply.status).toBe(200);
    resolve({ events: STREAM });
    const { events, exception } = await readStream(reply);
    expect(events[0]).toEqual({ name: 'ping', data: { type: 'ping' } });
    expect([events.at(-1)?.name, exception]).toEqual(['message_stop', null]);
  });

  it('gets an exception of an upstream that refuses it behind a ping', async () => {
    const { promise, resolve } = Promise.withResolvers<ScriptedReply>();
    served.anthropic.script = () => promise;
    const reply = await stream(BEDROCK_ID);
    const error = { type: 'invalid_request_error', message: 'prompt is too long: 2 > 1 maximum' };
    resolve({ status: 400, json: { type: 'error', error } });
    const { events, exception } = await readStream(reply);
    expect(new Set(events.map(({ name }) => name))).toEqual(new Set(['ping']));
    expect(exception).toEqual({
      type: 'validationException',
      message: 'prompt is too long: 2 > 1 maximum',
    });
  });

  it('gets an exception of an upstream that breaks off, and pays for what came', async () => {
    const before = await customer.charged();
    const cut = textBlock(0, 'Hel', 'lo').replace(wire('content_block_stop', { index: 0 }), '');
    served.anthropic.script = () => ({ events: [startEvent(USAGE), cut], cut: true });
    const { events, exception } = await readStream(await stream(BEDROCK_ID));
    expect(withoutPings(events).map(({ name }) => name)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
    ]);
    expect(exception?.type).toBe('modelStreamErrorException');
    expect(exception?.message).toContain('The upstream broke off');
    expect(await customer.charged()).toBeGreaterThan(before);
    expect((await customer.statuses()).at(-1)).toBe('upstream_disconnected');
  });

  it('gets an exception where its balance ends, behind a message whose blocks are closed', async () => {
    const balance = 2_000_000;
    const poor = await served.newCustomer('anthropic', balance, 'claude-opus-6');
    const words = Array.from({ length: 10_000 }, () => 'words about weirs and rivers ');
    served.anthropic.script = () => ({
      events: [startEvent(USAGE), textBlock(0, ...words), endEvents('end_turn', USAGE)],
    });
    const { events, exception } = await readStream(
      await stream('anthropic.claude-opus-6', { ...BEDROCK_BODY, max_tokens: 64_000 }, poor),
    );
    expect(withoutPings(events).at(-1)?.name).toBe('content_block_stop');
    expect(exception).toEqual({
      type: 'validationException',
      message: expect.stringContaining('The balance ran out') as string,
    });
    expect(await poor.statuses()).toEqual(['funds_exhausted']);
  });

  it('has tokens counted of a body in base64, with the same counter', async () => {
    served.anthropic.script = () => ({ json: { input_tokens: 77 } });
    served.anthropic.requests.length = 0;
    const { anthropic_version, messages } = { ...BEDROCK_BODY };
    const inner = JSON.stringify({ anthropic_version, messages });
    const body = Buffer.from(inner).toString('base64');
    const path = `/model/${BEDROCK_ID}/count-tokens`;
    const reply = await customer.post(path, { input: { invokeModel: { body } } });
    expect(await reply.json()).toEqual({ inputTokens: 77 });
    expect(served.anthropic.requests.map(({ body: asked }) => asked)).toEqual([
      { messages, model: customer.upstreamModel },
    ]);
    const other = await customer.post(path, { input: { converse: { messages: [] } } });
    expect(other.status).toBe(400);
    expect(await other.json()).toEqual({
      message: expect.stringContaining('"invokeModel"') as string,
    });
  });

  it('reads a long stream slowly, and every message of it is whole', async () => {
    const words = Array.from({ length: 4_000 }, (_, index) => `word ${index} `);
    served.anthropic.script = () => ({
      events: [startEvent(USAGE), textBlock(0, ...words), endEvents('end_turn', USAGE)],
    });
    const reply = await stream(BEDROCK_ID, { ...BEDROCK_BODY, max_tokens: 64_000 });
    const pieces: Uint8Array[] = [];
    for await (const piece of reply.body as ReadableStream<Uint8Array>) {
      pieces.push(piece);
      if (pieces.length % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const { events, exception } = readBedrockStream(Buffer.concat(pieces));
    const texts = events.map(({ data }) =>
      stringOf((data['delta'] as JsonObject | undefined)?.['text']),
    );
    expect(texts.join('')).toBe(words.join(''));
    expect(exception).toBeNull();
  });

  it('is served over chat completions, streamed and whole', async () => {
    const other = await served.newCustomer('openai', undefined, 'claude-haiku-9');
    served.openai.behave('*', { kind: 'reply', pieces: ['Hel', 'lo'] });
    const whole = await invoke('eu.anthropic.claude-haiku-9', BEDROCK_BODY, other);
    expect(await whole.json()).toMatchObject({ content: [{ type: 'text', text: 'Hello' }] });
    const reply = await stream('eu.anthropic.claude-haiku-9', BEDROCK_BODY, other);
    const { events } = await readStream(reply);
    const text = events.map(
      ({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
    );
    expect(readMessageStrictly(text.join(''))).toMatchObject({
      model: 'claude-haiku-9',
      blocks: [{ type: 'text', text: 'Hello' }],
      finished: true,
    });
    await until('both are billed', async () => (await other.statuses()).length === 2);
  });
});

describe('a client of Google Vertex AI', () => {
  it.each([VERTEX_PATH, `/v1${VERTEX_PATH}`])('gets messages at %s', async (path) => {
    served.anthropic.script = ({ body }) =>
      body['stream'] === true ? { events: STREAM } : { json: REPLY };
    served.anthropic.requests.length = 0;
    const whole = await customer.post(`${path}${VERTEX_ID}:rawPredict`, VERTEX_BODY);
    expect(await whole.json()).toEqual({ ...REPLY, model: PUBLIC_ID });
    const asked = { ...VERTEX_BODY, stream: true };
    const reply = await customer.post(`${path}${VERTEX_ID}:streamRawPredict`, asked);
    expect(readMessageStrictly(await reply.text())).toMatchObject({
      model: PUBLIC_ID,
      finished: true,
    });
    const model = customer.upstreamModel;
    expect(served.anthropic.requests.map(({ body }) => body)).toEqual([
      { ...BODY, model },
      { ...BODY, model, stream: true },
    ]);
  });

  it('has tokens counted of the model in the body', async () => {
    served.anthropic.script = () => ({ json: { input_tokens: 77 } });
    served.anthropic.requests.length = 0;
    const { messages } = BODY;
    const asked = { anthropic_version: 'vertex-2023-10-16', model: VERTEX_ID, messages };
    const reply = await customer.post(`${VERTEX_PATH}count-tokens:rawPredict`, asked);
    expect(await reply.json()).toEqual({ input_tokens: 77 });
    expect(served.anthropic.requests.map(({ path, body }) => [path, body])).toEqual([
      ['/v1/messages/count_tokens', { messages, model: customer.upstreamModel }],
    ]);
  });
});

describe('a client of Mantle or Foundry', () => {
  it.each([`anthropic.${PUBLIC_ID}`, PUBLIC_ID])('is served the model %s', async (model) => {
    served.anthropic.script = () => ({ json: REPLY });
    const asked = { ...BODY, model };
    const reply = await customer.post('/anthropic/v1/messages?beta=true', asked);
    expect(await reply.json()).toMatchObject({ model: PUBLIC_ID });
    served.anthropic.script = () => ({ json: { input_tokens: 77 } });
    const path = '/anthropic/v1/messages/count_tokens';
    const counted = await customer.post(path, { model, messages: BODY.messages });
    expect(await counted.json()).toEqual({ input_tokens: 77 });
  });

  it('finds the model of a cloud’s id on the vendor’s own path, too', async () => {
    served.anthropic.script = () => ({ json: REPLY });
    const reply = await customer.post('/v1/messages', { ...BODY, model: BEDROCK_ID });
    expect(await reply.json()).toMatchObject({ model: PUBLIC_ID });
    expect(served.anthropic.requests.at(-1)?.body['model']).toBe(customer.upstreamModel);
  });
});

it.each([
  ['a body of the version alone', { anthropic_version: 'bedrock-2023-05-31' }, 'max_tokens'],
  ['an empty body', {}, 'max_tokens'],
  ['betas that are no list', { ...BODY, anthropic_beta: { a: 1 } }, 'anthropic_beta'],
])('%s is refused by the name of the field', async (_what, body, field) => {
  const reply = await invoke(BEDROCK_ID, body);
  expect(reply.status).toBe(400);
  expect(reply.headers.get('x-amzn-errortype')).toBe('ValidationException');
  const { message } = (await reply.json()) as { message: string };
  expect(message).toContain(`"${field}"`);
});
