import { describe, expect, test } from 'vitest';
import { readChat, readError, type ChatEvent } from '../chat-events';
import type { TalkProtocol, TalkRequest } from './dialect';
import { DIALECTS } from './dialect-of';

const REQUEST: TalkRequest = {
  model: 'vendor/model-1',
  system: 'Be brief.',
  turns: [
    { role: 'user', content: 'One' },
    { role: 'assistant', content: '1' },
    { role: 'user', content: 'Two' },
  ],
  parameters: { temperature: 0.5, topP: 0.9, outputTokensMax: 64 },
  modelOutputTokensMax: 4_096,
};
const BARE: TalkRequest = { ...REQUEST, system: undefined, parameters: {} };

async function eventsOf(protocol: TalkProtocol, data: readonly object[]): Promise<ChatEvent[]> {
  const text = data.map((one) => `event: any\ndata: ${JSON.stringify(one)}\n\n`).join('');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
  const events: ChatEvent[] = [];
  for await (const event of readChat(body, DIALECTS[protocol])) events.push(event);
  return events;
}

describe('A request is written', () => {
  test('for Responses', () => {
    const { path, headers, body } = DIALECTS['openai-responses'];
    expect([path('m'), headers('sk')]).toEqual(['/v1/responses', { authorization: 'Bearer sk' }]);
    expect(body(REQUEST)).toEqual({
      model: 'vendor/model-1',
      instructions: 'Be brief.',
      input: REQUEST.turns.map((turn) => ({ type: 'message', ...turn })),
      stream: true,
      store: false,
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 64,
    });
    expect(Object.keys(body(BARE))).toEqual(['model', 'input', 'stream', 'store']);
  });

  test('for Messages, with the limit that it demands', () => {
    const { path, headers, body } = DIALECTS['anthropic-messages'];
    expect(path('m')).toBe('/v1/messages');
    expect(headers('sk')).toEqual({ 'x-api-key': 'sk', 'anthropic-version': '2023-06-01' });
    expect(body(REQUEST)).toEqual({
      model: 'vendor/model-1',
      system: 'Be brief.',
      messages: REQUEST.turns,
      stream: true,
      max_tokens: 64,
      temperature: 0.5,
      top_p: 0.9,
    });
    expect(body(BARE)).toMatchObject({ max_tokens: 4_096 });
  });

  test('for Gemini, with the model in the path', () => {
    const { path, headers, body } = DIALECTS.gemini;
    expect(path('vendor/model-1')).toBe(
      '/v1beta/models/vendor/model-1:streamGenerateContent?alt=sse',
    );
    expect(headers('sk')).toEqual({ 'x-goog-api-key': 'sk' });
    expect(body(REQUEST)).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'One' }] },
        { role: 'model', parts: [{ text: '1' }] },
        { role: 'user', parts: [{ text: 'Two' }] },
      ],
      generationConfig: { temperature: 0.5, topP: 0.9, maxOutputTokens: 64 },
    });
    expect(body(BARE)).toMatchObject({ generationConfig: {} });
  });
});

describe('A reply is read', () => {
  test('of Responses', async () => {
    const usage = { input_tokens: 12, output_tokens: 3 };
    const events = await eventsOf('openai-responses', [
      { type: 'response.created', response: { status: 'in_progress' } },
      { type: 'response.output_text.delta', delta: 'Hello' },
      { type: 'response.completed', response: { status: 'completed', usage } },
    ]);
    expect(events).toEqual([
      { kind: 'text', text: 'Hello' },
      { kind: 'finish', reason: 'completed' },
      { kind: 'usage', input: 12, output: 3 },
      { kind: 'end' },
    ]);
  });

  test('of Messages, cached input counted as input', async () => {
    const usage = { input_tokens: 2, cache_read_input_tokens: 10, output_tokens: 3 };
    const events = await eventsOf('anthropic-messages', [
      { type: 'message_start', message: { usage: { input_tokens: 0, output_tokens: 0 } } },
      { type: 'ping' },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: '…' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      { type: 'message_stop' },
    ]);
    expect(events).toEqual([
      { kind: 'text', text: 'Hello' },
      { kind: 'finish', reason: 'end_turn' },
      { kind: 'usage', input: 12, output: 3 },
      { kind: 'end' },
    ]);
  });

  test('of Gemini, without its thoughts', async () => {
    const content = { role: 'model', parts: [{ text: 'hm', thought: true }, { text: 'Hello' }] };
    const events = await eventsOf('gemini', [
      { candidates: [{ content }] },
      {
        candidates: [{ content: { parts: [{ text: '!' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 3, thoughtsTokenCount: 4 },
      },
    ]);
    expect(events).toEqual([
      { kind: 'text', text: 'Hello' },
      { kind: 'text', text: '!' },
      { kind: 'finish', reason: 'STOP' },
      { kind: 'usage', input: 12, output: 7 },
      { kind: 'end' },
    ]);
  });

  test.each([
    ['openai-responses', { type: 'response.output_text.delta', delta: 'Hel' }],
    [
      'anthropic-messages',
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hel' } },
    ],
    ['gemini', { candidates: [{ content: { parts: [{ text: 'Hel' }] } }] }],
  ] as const)('of %s that is cut off is a failure', async (protocol, event) => {
    await expect(eventsOf(protocol, [event])).rejects.toMatchObject({ code: 'cut_off' });
  });
});

describe('A refusal is known by the gateway’s own code', () => {
  const code = 'insufficient_balance';
  const message = 'The balance is used up.';

  test.each([
    ['chat completions', { error: { message, code } }],
    ['Responses', { error: { message, code: 'insufficient_quota' } }],
    ['an event of Responses', { type: 'error', message, code: 'insufficient_quota' }],
    ['a failed response', { type: 'response.failed', response: { error: { message, code } } }],
    [
      'Messages',
      { type: 'error', error: { type: 'billing_error', message, details: { error_code: code } } },
    ],
    ['Gemini', { error: { code: 402, message, details: [{ reason: 'INSUFFICIENT_BALANCE' }] } }],
  ])('in %s', (_, body) => {
    expect(readError(body)).toEqual({ message, code });
  });

  test('and what is no error is none', () => {
    expect(readError({ choices: [] })).toBeUndefined();
    expect(readError(undefined)).toBeUndefined();
  });
});
