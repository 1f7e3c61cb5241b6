import OpenAI from 'openai';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import {
  geminiEvent,
  startFakeGemini,
  type FakeGemini,
} from '../../../support/upstreams/fake-gemini.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../support/ledger/money.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { seed, type Seeded } from '../../../support/seed.ts';

const CREDIT = 100_000_000_000;
/** 1270 of input, of which 200 are cached, and 50 of output: at 2, 0.5 and 10 USD a million. */
const BILL = 1_070 * 2_000 + 200 * 500 + 50 * 10_000;

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };

/** A chat upstream's stream: reasoning, text and two calls whose pieces interleave. */
const CHAT_EVENTS = [
  { reasoning_content: 'Short thought' },
  { content: 'I will look.' },
  {
    tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'ls', arguments: '' } }],
  },
  {
    tool_calls: [
      { index: 1, id: 'c2', type: 'function', function: { name: 'pwd', arguments: '' } },
    ],
  },
  { tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] },
  { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
  { tool_calls: [{ index: 0, function: { arguments: '"/"}' } }] },
]
  .map((delta) => chatEvent({ choices: [{ index: 0, delta, finish_reason: null }] }))
  .concat([
    chatEvent({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }),
    chatEvent({
      choices: [],
      usage: {
        prompt_tokens: 1270,
        completion_tokens: 50,
        total_tokens: 1320,
        prompt_tokens_details: { cached_tokens: 200 },
        completion_tokens_details: { reasoning_tokens: 20 },
      },
    }),
    'data: [DONE]\n\n',
  ]);

function chatEvent(fields: object): string {
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
  return `data: ${JSON.stringify({ ...chunk, ...fields })}\n\n`;
}

const USAGE = {
  promptTokenCount: 1270,
  cachedContentTokenCount: 200,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 20,
  totalTokenCount: 1320,
};

const GEMINI_PARTS: object[] = [
  { text: 'Short thought', thought: true },
  { text: 'I will look.' },
  { functionCall: { name: 'ls', args: { path: '/' } }, thoughtSignature: 'c2lnbmF0dXJl' },
  { functionCall: { name: 'ls', args: {} } },
];

function geminiEvents(parts: readonly object[]): string[] {
  return parts.map((part, index) => {
    const last = index === parts.length - 1;
    const content = { role: 'model', parts: [part] };
    const candidate = { content, index: 0, ...(last ? { finishReason: 'STOP' } : {}) };
    const usageMetadata = last ? USAGE : { promptTokenCount: 1270, totalTokenCount: 1270 };
    return geminiEvent({ candidates: [candidate], usageMetadata, modelVersion: 'm' });
  });
}

describe('Gemini’s protocol and chat completions over each other’s upstreams', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let chatUpstream: FakeGemini;
  let geminiUpstream: FakeGemini;
  let seeded: Seeded;
  let gateway: TestGateway;
  let ledger: Ledger;
  let closeLedger: () => Promise<void>;
  let client: OpenAI;
  let spent = 0;

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
    chatUpstream = await startFakeGemini();
    geminiUpstream = await startFakeGemini();
    seeded = await seed(pool, {
      upstreams: [chatUpstream.url, geminiUpstream.url],
      creditNanoUsd: CREDIT,
      models: [
        { publicId: 'on-chat', upstreamName: 'gpt-5.5' },
        { publicId: 'on-gemini', upstreamName: 'gemini-3-pro' },
      ],
    });
    const [chat, gemini] = seeded.channelIds;
    await pool.query(`update channels set kind = 'gemini' where id = $1`, [gemini]);
    await pool.query(
      `delete from channel_models where (channel_id, upstream_name) in (($1, 'gemini-3-pro'), ($2, 'gpt-5.5'))`,
      [chat, gemini],
    );
    await pool.query('update prices set cached_input_nano_usd = 500000000');
    gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
    ({ ledger, close: closeLedger } = await openTestLedger(pool, null));
    client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: seeded.key, maxRetries: 0 });
  });

  afterAll(async () => {
    expect(await gateway.close()).toBe(0);
    await closeLedger();
    await chatUpstream.close();
    await geminiUpstream.close();
    await pool.end();
    await database.drop();
  });

  beforeEach(() => {
    chatUpstream.calls.length = 0;
    geminiUpstream.calls.length = 0;
  });

  async function charged(): Promise<number> {
    const state = await settledState(ledger, seeded.accountId);
    expect(state.heldNanoUsd).toBe(0);
    const total = CREDIT - state.availableNanoUsd;
    const since = total - spent;
    spent = total;
    return since;
  }

  function post(verb: string, body: object): Promise<Response> {
    return fetch(`${gateway.url}/v1beta/models/on-chat:${verb}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': seeded.key },
      body: JSON.stringify(body),
    });
  }

  interface Chunk {
    candidates: {
      content: { parts: Record<string, unknown>[] };
      finishReason?: string;
    }[];
    usageMetadata?: object;
  }

  const GEMINI_ASK = {
    systemInstruction: { parts: [{ text: 'terse' }] },
    contents: [
      { role: 'user', parts: [{ text: 'look' }] },
      {
        role: 'model',
        parts: [{ functionCall: { name: 'ls', args: {} }, thoughtSignature: 'AA==' }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { error: 'no' } } }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'ls', parametersJsonSchema: SCHEMA }] }],
    generationConfig: { maxOutputTokens: 100, thinkingConfig: { includeThoughts: true } },
  };

  test('a Gemini client gets whole calls of a chat upstream, and one end with the usage', async () => {
    chatUpstream.reply = { events: CHAT_EVENTS };
    const response = await post('streamGenerateContent', GEMINI_ASK);
    const chunks = (await response.json()) as Chunk[];
    const parts = chunks.flatMap(({ candidates }) => candidates[0]?.content.parts ?? []);
    expect(parts).toEqual([
      { text: 'Short thought', thought: true },
      { text: 'I will look.' },
      { functionCall: { id: 'c1', name: 'ls', args: { path: '/' } } },
      { functionCall: { id: 'c2', name: 'pwd', args: {} } },
    ]);
    expect(chunks.filter(({ candidates }) => candidates[0]?.finishReason === 'STOP')).toHaveLength(
      1,
    );
    expect(chunks.filter(({ usageMetadata }) => usageMetadata !== undefined)).toHaveLength(1);
    expect(chunks.at(-1)).toMatchObject({
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: USAGE,
      modelVersion: 'on-chat',
    });
    expect(await charged()).toBe(BILL);
    expect(chatUpstream.calls[0]?.body).toMatchObject({
      model: 'gpt-5.5',
      messages: [
        { role: 'system', content: 'terse' },
        { role: 'user', content: 'look' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'call_1', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Error: no' },
      ],
      tools: [{ type: 'function', function: { name: 'ls', parameters: SCHEMA } }],
      max_completion_tokens: 100,
    });
  });

  test('a Gemini client that did not ask for thoughts gets none', async () => {
    chatUpstream.reply = { events: CHAT_EVENTS };
    const response = await post('streamGenerateContent?alt=sse', { contents: GEMINI_ASK.contents });
    expect(await response.text()).not.toContain('Short thought');
    expect(await charged()).toBe(BILL);
  });

  test('a chat upstream that breaks off ends a Gemini stream in an error, without a call', async () => {
    chatUpstream.reply = { events: CHAT_EVENTS.slice(0, 5), cut: true };
    const response = await post('streamGenerateContent?alt=sse', GEMINI_ASK);
    const text = await response.text();
    expect(text).toMatch(/"error":\{"code":502/);
    expect(text).not.toContain('finishReason');
    expect(text).not.toContain('functionCall');
    await charged();
  });

  const CHAT_ASK = {
    model: 'on-gemini',
    messages: [
      { role: 'system' as const, content: 'terse' },
      { role: 'user' as const, content: 'look' },
    ],
    tools: [{ type: 'function' as const, function: { name: 'ls', parameters: SCHEMA } }],
  };

  test('a chat client gets the calls, reasoning and usage of a Gemini stream', async () => {
    geminiUpstream.reply = { events: geminiEvents(GEMINI_PARTS) };
    const stream = client.chat.completions.stream({
      ...CHAT_ASK,
      stream_options: { include_usage: true },
    });
    const { choices, usage } = await stream.finalChatCompletion();
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'I will look.',
        tool_calls: [
          { function: { name: 'ls', arguments: '{"path":"/"}' } },
          { function: { name: 'ls', arguments: '{}' } },
        ],
      },
    });
    // CLIProxyAPI #5743: thoughts are output.
    expect(usage).toMatchObject({
      prompt_tokens: 1270,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 200 },
      completion_tokens_details: { reasoning_tokens: 20 },
    });
    const [first, second] = choices[0]?.message.tool_calls ?? [];
    expect(first?.id).not.toBe(second?.id);
    expect(await charged()).toBe(BILL);
    expect(geminiUpstream.calls[0]).toMatchObject({
      path: '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse',
      body: {
        systemInstruction: { parts: [{ text: 'terse' }] },
        contents: [{ role: 'user', parts: [{ text: 'look' }] }],
        tools: [{ functionDeclarations: [{ name: 'ls', parametersJsonSchema: SCHEMA }] }],
      },
    });
  });

  test('two rounds of tools of a chat client on Gemini 3 lack no signature (litellm #25322)', async () => {
    geminiUpstream.reply = {
      json: JSON.parse(geminiEvents([GEMINI_PARTS[1] ?? {}])[0]?.slice(6) ?? ''),
    };
    const call = (id: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'ls', arguments: '{}' },
    });
    const reply = await client.chat.completions.create({
      ...CHAT_ASK,
      messages: [
        ...CHAT_ASK.messages,
        { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
        { role: 'tool', tool_call_id: 'b', content: 'B' },
        { role: 'tool', tool_call_id: 'a', content: 'A' },
        { role: 'assistant', content: null, tool_calls: [call('c')] },
      ],
    });
    expect(reply.choices[0]?.message.content).toBe('I will look.');
    const dummy = { thoughtSignature: 'skip_thought_signature_validator' };
    expect(geminiUpstream.calls[0]?.body['contents']).toEqual([
      { role: 'user', parts: [{ text: 'look' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'a', name: 'ls', args: {} }, ...dummy },
          { functionCall: { id: 'b', name: 'ls', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'ls', response: { output: 'A' } } },
          { functionResponse: { id: 'b', name: 'ls', response: { output: 'B' } } },
        ],
      },
      { role: 'model', parts: [{ functionCall: { id: 'c', name: 'ls', args: {} }, ...dummy }] },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'c',
              name: 'ls',
              response: { error: 'The call was interrupted and has no result.' },
            },
          },
        ],
      },
    ]);
    expect(await charged()).toBe(BILL);
  });

  test('the records say what the client and the upstream spoke', async () => {
    await charged();
    const { rows } = await pool.query(
      `select distinct model, protocol, upstream_protocol as upstream from usage_records order by model`,
    );
    expect(rows).toEqual([
      { model: 'on-chat', protocol: 'gemini', upstream: 'openai-chat' },
      { model: 'on-gemini', protocol: 'openai-chat', upstream: 'gemini' },
    ]);
  });
});
