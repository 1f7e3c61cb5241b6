/** The clients of all protocols over Claude on Amazon Bedrock: what they get, and what it costs. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AWS_ERRORS, PROFILE_ARN } from '../../../support/upstreams/fake-aws/aws-error.ts';
import { wrappedEvent } from '../../../support/upstreams/fake-aws/frames.ts';
import { ACCESS_KEY, API_KEY } from '../../../support/upstreams/fake-aws/verify-request.ts';
import { expectReconciled } from '../../ledger/support/reconcile.ts';
import { CLIENTS } from './support/one-turn.ts';
import { openBedrock, PRICES, UPSTREAM_MODEL, type BedrockSite } from './support/open-bedrock.ts';
import { TURN_CLIENTS } from './support/turn-clients.ts';
import { PROOF, TURN_UPSTREAMS, USAGE, type Turn } from './support/turn-upstreams.ts';

const MESSAGES = TURN_UPSTREAMS.find(({ protocol }) => protocol === 'anthropic-messages');
const THOUGHT = 'A short thought';
const PIECES = ['I will', ' look.'];
const CALLS = [
  { id: 'toolu_bdrk_01', name: 'look_up', input: { city: 'Rome' } },
  { id: 'toolu_bdrk_02', name: 'measure', input: {} },
];
const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
/** A PNG of one pixel. */
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WORDS = ['one', ' two', ' three', ' four', ' five', ' six', ' seven', ' eight'];
const COST =
  (USAGE.input - USAGE.cached) * PRICES.input +
  USAGE.cached * PRICES.cached +
  USAGE.output * PRICES.output;

let site: BedrockSite;

beforeAll(async () => {
  site = await openBedrock();
});

afterAll(() => site.close());

beforeEach(() => {
  site.aws.requests.length = 0;
});

/** The events of Messages, as objects. */
function eventsOf(turn: Turn): object[] {
  return (MESSAGES?.events(turn) ?? []).map(
    (event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)) as object,
  );
}

function play(turn: Turn): void {
  site.aws.reply = () => ({ events: eventsOf(turn) });
}

function lastBody(): Readonly<Record<string, unknown>> {
  return site.aws.requests.at(-1)?.body ?? {};
}

async function lastRecord() {
  const { rows } = await site.pool.query<Record<string, unknown>>(
    `select status, cost_nano_usd as cost, input_tokens as input, cached_input_tokens as cached,
       output_tokens as output, estimated, attempts, protocol, upstream_protocol as upstream
     from usage_records order by created_at desc, request_id desc limit 1`,
  );
  return rows[0];
}

describe.each(TURN_CLIENTS)('$protocol over InvokeModel', (client) => {
  it('calls tools in parallel, and sends back what was thought', async () => {
    play({ thought: THOUGHT, pieces: PIECES, calls: CALLS });
    const answer = await client.ask({ site, offersTools: true, thinks: true });
    expect(answer).toMatchObject({ text: PIECES.join(''), thought: THOUGHT, calls: CALLS });
    play({ pieces: ['It is done.'] });
    const results = CALLS.toReversed().map((call) => ({ ...call, result: `of ${call.id}` }));
    const last = await client.ask({
      ...{ site, offersTools: true, thinks: true, before: { answer, results } },
    });
    expect(last).toMatchObject({ text: 'It is done.', calls: [] });
    expect(MESSAGES?.results(lastBody())).toEqual(
      Object.fromEntries(CALLS.map(({ id }) => [id, `of ${id}`])),
    );
    const keeps = client.protocol !== 'openai-chat';
    expect(JSON.stringify(lastBody()).includes(PROOF)).toBe(keeps);
    expect(site.aws.requests.at(-1)).toMatchObject({
      model: UPSTREAM_MODEL,
      path: `/model/${encodeURIComponent(UPSTREAM_MODEL)}/invoke-with-response-stream`,
      headers: { accept: 'application/vnd.amazon.eventstream' },
    });
    expect(await site.charged()).toBe(2 * COST);
    expect(await lastRecord()).toMatchObject({
      ...{ status: 'completed', estimated: false, attempts: 1 },
      ...{ protocol: client.protocol, upstream: 'anthropic-messages' },
    });
  });

  it('shows an image, and asks for structured output', async () => {
    play({ pieces: ['{"city":', '"Rome"}'] });
    const { text } = await client.ask({ site, image: IMAGE, schema: SCHEMA });
    expect(JSON.parse(text)).toEqual({ city: 'Rome' });
    expect(MESSAGES?.schema(lastBody())).toEqual(SCHEMA);
    expect(JSON.stringify(lastBody())).toContain(MESSAGES?.image(IMAGE));
    expect(await site.charged()).toBe(COST);
  });

  it('is billed for what was delivered when it leaves', async () => {
    const events = eventsOf({ pieces: WORDS });
    const behind = MESSAGES?.eventsBehind ?? 0;
    site.aws.reply = () => ({ events: events.slice(0, -behind), stays: true });
    const leaving = new AbortController();
    let heard = 0;
    const onText = (): void => {
      heard += 1;
      if (heard === WORDS.length) leaving.abort();
    };
    await expect(client.ask({ site, signal: leaving.signal, onText })).rejects.toThrow();
    const charged = await site.charged();
    expect(await lastRecord()).toMatchObject({
      ...{ status: 'client_disconnected', cost: charged, output: WORDS.length, estimated: true },
      ...{ input: USAGE.input, cached: USAGE.cached },
    });
  });

  it.each([
    ['an exception', { error: AWS_ERRORS.modelError, exceptionAfter: 6 }],
    ['a cut inside a frame', { cutAt: framesOf(6) + 20 }],
  ])('is billed for what was delivered when the stream breaks off: %s', async (_name, end) => {
    site.aws.reply = () => ({ events: eventsOf({ pieces: WORDS }), ...end });
    await expect(client.ask({ site })).rejects.toThrow();
    const charged = await site.charged();
    // A start, a block's start, and four pieces.
    expect(await lastRecord()).toMatchObject({
      ...{ status: 'upstream_disconnected', cost: charged, output: 4, estimated: true },
    });
    expect(charged).toBeGreaterThan(0);
  });

  it('gets a whole reply at the price of a streamed one', async () => {
    const message = replyOf({
      input_tokens: 730,
      cache_read_input_tokens: 200,
      cache_creation_input_tokens: 70,
      cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 40 },
      output_tokens: USAGE.output,
    });
    site.aws.reply = () => ({ message });
    const asks = CLIENTS.find(({ protocol }) => protocol === client.protocol);
    const cost =
      730 * PRICES.input +
      200 * PRICES.cached +
      30 * PRICES.write +
      40 * PRICES.hour +
      USAGE.output * PRICES.output;
    for (const stream of [false, true]) {
      const { path = '', body = {} } = asks?.request(site.model, stream) ?? {};
      const reply = await post(path, body);
      expect([reply.status, await reply.text()]).toEqual([
        200,
        expect.stringMatching(stream ? /It is.*done\./s : /It is done\./),
      ]);
      expect(await site.charged()).toBe(cost);
    }
  });
});

const PROMPT_USAGE = {
  input_tokens: USAGE.input - USAGE.cached,
  cache_read_input_tokens: USAGE.cached,
  output_tokens: USAGE.output,
};

function replyOf(usage: object) {
  return {
    ...{ id: 'msg_bdrk_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' },
    content: [{ type: 'text', text: 'It is done.' }],
    stop_reason: 'end_turn',
    usage: { ...usage },
  };
}

/** Bytes of the first frames of a turn. */
function framesOf(count: number): number {
  return eventsOf({ pieces: WORDS })
    .slice(0, count)
    .reduce((sum, event) => sum + wrappedEvent(event).length, 0);
}

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

describe('what Bedrock does not take', () => {
  const BODY = {
    model: 'claude-sonnet-4-5',
    max_tokens: 1_000,
    stream: true,
    messages: [{ role: 'user', content: 'Hello' }],
    metadata: { user_id: 'u' },
  };
  const done = { pieces: ['It is done.'] };

  it('is left out, and named', async () => {
    play(done);
    const betas =
      'claude-code-20250219,interleaved-thinking-2025-05-14,advanced-tool-use-2025-11-20';
    const context_management = { edits: [{ type: 'clear_tool_uses_20250919' }] };
    const reply = await post(
      '/v1/messages?beta=true',
      { ...BODY, context_management, tags: ['a'], anthropic_beta: ['files-api-2025-04-14'] },
      { 'anthropic-beta': betas },
    );
    expect(await reply.text()).toContain('It is done.');
    const { anthropic_beta: sent, ...rest } = lastBody();
    expect(sent).toEqual(['interleaved-thinking-2025-05-14', 'tool-search-tool-2025-10-19']);
    expect(Object.keys(rest).toSorted()).toEqual([
      ...['anthropic_version', 'max_tokens', 'messages', 'metadata'],
    ]);
    const { headers } = site.aws.requests.at(-1) ?? {};
    expect(headers).not.toHaveProperty('anthropic-beta');
    expect(reply.headers.get('x-weir-dropped-fields')?.split(', ').toSorted()).toEqual([
      ...['beta.claude-code-20250219', 'beta.files-api-2025-04-14', 'context_management', 'tags'],
    ]);
    expect(await site.charged()).toBe(COST);
  });

  it('of a tool becomes the beta that means the same', async () => {
    play(done);
    const properties = { eager_input_streaming: { type: 'boolean' } };
    const tool = { name: 'write', input_schema: { type: 'object', properties } };
    const reply = await post('/v1/messages', {
      ...BODY,
      tools: [
        { ...tool, eager_input_streaming: true },
        { ...tool, name: 'read' },
      ],
    });
    expect(await reply.text()).toContain('It is done.');
    expect(lastBody()).toMatchObject({
      tools: [tool, { ...tool, name: 'read' }],
      anthropic_beta: ['fine-grained-tool-streaming-2025-05-14'],
    });
    expect(lastBody()['tools']).not.toMatchObject([{ eager_input_streaming: true }, {}]);
    expect(reply.headers.get('x-weir-dropped-fields')).toBe('tools[].eager_input_streaming');
    expect(await site.charged()).toBe(COST);
  });

  it('is a mark of a whole prompt: its last block is marked instead', async () => {
    play(done);
    const messages = [{ role: 'user', content: 'Hello' }];
    const { model } = site;
    const body = { model, messages, stream: true, prompt_cache_key: 'k' };
    const reply = await post('/v1/chat/completions', body);
    expect(await reply.text()).toContain('It is done.');
    expect(lastBody()).not.toHaveProperty('cache_control');
    const marked = { type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } };
    expect(lastBody()['messages']).toEqual([{ role: 'user', content: [marked] }]);
    await site.charged();
  });

  it('is sent where the beta is there that it needs', async () => {
    play(done);
    const context_management = { edits: [{ type: 'clear_tool_uses_20250919' }] };
    const reply = await post(
      '/v1/messages',
      { ...BODY, context_management },
      { 'anthropic-beta': 'context-management-2025-06-27' },
    );
    expect(await reply.text()).toContain('It is done.');
    expect(lastBody()).toMatchObject({ context_management });
    expect(reply.headers.get('x-weir-dropped-fields')).toBeNull();
    expect(await site.charged()).toBe(COST);
  });

  it.each(['tooLong', 'tooLongByModel'] as const)('is refused in its words: %s', async (name) => {
    site.aws.reply = () => ({ error: AWS_ERRORS[name] });
    const reply = await post('/v1/messages', BODY);
    const { error } = (await reply.json()) as { error: { type: string; message: string } };
    expect([reply.status, error.type]).toEqual([400, 'invalid_request_error']);
    expect(error.message).toMatch(/^(?:Input is too long\.|prompt is too long: 210000)/);
    expect(await site.charged()).toBe(0);
  });
});

describe('a channel of Anthropic’s path', () => {
  it('is sent Messages as they are, with an inference profile and a signature', async () => {
    const door = await openBedrock(['/anthropic']);
    door.aws.reply = () => ({ message: replyOf(PROMPT_USAGE) });
    for (const credential of [ACCESS_KEY, API_KEY]) {
      await door.setCredentials(door.channelIds[0] ?? '', [credential]);
      await door.republish();
      for (const client of TURN_CLIENTS) {
        expect((await client.ask({ site: door })).text).toBe('It is done.');
        expect(await door.charged()).toBe(COST);
      }
      expect(door.aws.requests.at(-1)).toMatchObject({
        path: '/anthropic/v1/messages',
        body: { model: UPSTREAM_MODEL, stream: true },
      });
    }
    await door.close();
  });
});

describe('an inference profile of the operator’s own', () => {
  it('is asked as the model that the catalog says it is, with the marks of a cache', async () => {
    const own = await openBedrock([''], PROFILE_ARN);
    own.aws.reply = () => ({ message: replyOf(PROMPT_USAGE) });
    const cache_control = { type: 'ephemeral' };
    const tool = { name: 'look_up', input_schema: { type: 'object' }, cache_control };
    const system = [{ type: 'text', text: 'Be brief.', cache_control }];
    const reply = await fetch(`${own.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ model: own.model, max_tokens: 100, system, tools: [tool] },
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    });
    expect(reply.status).toBe(200);
    expect(own.aws.requests[0]).toMatchObject({
      path: `/model/${encodeURIComponent(PROFILE_ARN)}/invoke`,
      body: { system, tools: [tool] },
    });
    // A request that is translated has what Claude Sonnet 4.5 takes.
    const [chat] = TURN_CLIENTS;
    await chat?.ask({ site: own, thinks: true, schema: SCHEMA });
    expect(own.aws.requests[1]?.body).toMatchObject({
      thinking: { type: 'enabled' },
      output_config: { format: { type: 'json_schema' } },
    });
    await own.charged();
    await own.close();
  });
});

it('the books add up', () => expectReconciled(site.pool));
