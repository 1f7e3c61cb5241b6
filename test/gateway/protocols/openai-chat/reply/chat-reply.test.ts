import { describe, expect, it } from 'vitest';
import { readChatReply } from '../../../../../gateway/protocols/openai-chat/from-upstream/chat-reply.ts';
import type { Reply } from '../../../../../gateway/protocols/protocol.ts';
import { recording } from '../../../../support/clients/recorded-stream.ts';

function reply(body: Buffer | string | object, publicModel = 'public-model'): Reply {
  const bytes =
    Buffer.isBuffer(body) || typeof body === 'string'
      ? Buffer.from(body)
      : Buffer.from(JSON.stringify(body));
  const read = readChatReply(bytes, publicModel);
  if (read === undefined) throw new Error('it was not taken for a reply');
  return read;
}

describe('readChatReply', () => {
  it('changes the model and not a byte besides', () => {
    const body = recording('openai-text.json');
    expect(reply(body).bytes.toString()).toBe(
      body.toString().replace('"gpt-4o-mini-2024-07-18"', '"public-model"'),
    );
  });

  it('hands on the very bytes under the public name', () => {
    const body = recording('openai-text.json');
    expect(readChatReply(body, 'gpt-4o-mini-2024-07-18')?.bytes).toBe(body);
  });

  it('takes a byte order mark away, which no SDK reads over', () => {
    const body = recording('openai-text.json');
    const marked = Buffer.concat([Buffer.from('\ufeff'), body]);
    expect(readChatReply(marked, 'gpt-4o-mini-2024-07-18')?.bytes).toEqual(body);
    expect(reply(marked).bytes).toEqual(reply(body).bytes);
  });

  it('reads usage and text', () => {
    const { usage, deliveredText } = reply(recording('openai-text.json'));
    expect(usage).toEqual({ input: 11, cachedInput: 4, cacheWrite: 0, output: 9, reasoning: 0 });
    expect(deliveredText()).toBe('Ein Wehr staut den Fluß.');
  });

  it('makes arguments JSON text, says that tools were called, and has their text without usage', () => {
    const { bytes, usage, deliveredText } = reply(recording('ollama-tools.json'));
    expect(JSON.parse(bytes.toString())).toMatchObject({
      model: 'public-model',
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            tool_calls: [
              { function: { arguments: '{"gate":3}' } },
              { function: { arguments: '{}' } },
            ],
          },
        },
      ],
    });
    expect(usage).toBeNull();
    expect(deliveredText()).toBe('open_gate{"gate":3}close_all{}');
  });

  const message = { role: 'assistant', content: 'x' };
  const made = {
    id: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/) as string,
    object: 'chat.completion',
    created: expect.any(Number) as number,
    model: 'public-model',
  };

  it('adds what is missing around and in its choices, and removes an error that is null', () => {
    const { bytes } = reply({ choices: [{ message: { content: 'x' } }, { message }], error: null });
    expect(JSON.parse(bytes.toString())).toEqual({
      ...made,
      choices: [
        { message, index: 0 },
        { message, index: 1 },
      ],
    });
  });

  it('replaces what is around its choices and empty without touching a byte of them', () => {
    const choices = '[ {"index":0,"message":{"role":"assistant","content":"x"},"seed":1.50} ]';
    const around = '"id":"","object":"text_completion","created":0,"model":null';
    const { bytes } = reply(`{${around},"choices":${choices}}`);
    expect(bytes.toString()).toContain(choices);
    expect(JSON.parse(bytes.toString())).toMatchObject(made);
  });

  it('has the same id with usage and without', () => {
    const { bytes, withUsage } = reply({ choices: [{ message }] });
    const counts = { input: 8, cachedInput: 0, cacheWrite: 0, output: 2, reasoning: 0 };
    const [told, counted] = [bytes, withUsage(counts)].map(
      (one) => JSON.parse(one.toString()) as { id: string },
    );
    expect(counted?.id).toBe(told?.id);
  });

  it('gives each call a type and an id of its own', () => {
    const called = { function: { name: 'f', arguments: '{}' } };
    const calls = [
      { id: 'a', type: 'function', ...called },
      { id: 'a', type: 'function', ...called },
      { id: '', type: '', ...called },
      called,
      { custom: { name: 'g', input: '' } },
      { id: 'b', type: 'function', ...called },
    ];
    const { bytes } = reply({ choices: [{ message: { ...message, tool_calls: calls } }] });
    const { choices } = JSON.parse(bytes.toString()) as {
      choices: { message: { tool_calls: { id: string; type: string }[] } }[];
    };
    const sent = choices[0]?.message.tool_calls ?? [];
    expect(sent.map(({ type }) => type)).toEqual([
      ...['function', 'function', 'function', 'function', 'custom', 'function'],
    ]);
    const ids = sent.map(({ id }) => id);
    expect([ids[0], ids[5]]).toEqual(['a', 'b']);
    expect(new Set(ids).size).toBe(6);
    for (const id of ids.slice(1, 5)) expect(id).toMatch(/^call_[0-9a-f]{32}$/);
  });

  it('takes counts as its usage, whether it has one or not', () => {
    const counts = { input: 8, cachedInput: 0, cacheWrite: 0, output: 2, reasoning: 0 };
    const usage = { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 };
    const choices = [{ message: { content: 'x' } }];
    for (const body of [{ choices }, { usage: { prompt_tokens: 8 }, choices }]) {
      const told: unknown = JSON.parse(reply(body).withUsage(counts).toString());
      expect(told).toMatchObject({ model: 'public-model', choices, usage });
    }
  });

  it('keeps to itself what the upstream charges and whom it bought from', () => {
    const tokens = { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 };
    const choices = [{ index: 0, message }];
    const price = { cost: 0.0007, cost_details: { upstream_inference_cost: 0.0006 } };
    const { bytes, usage } = reply({
      id: 'gen-1',
      object: 'chat.completion',
      created: 1,
      provider: 'Cheap & Co.',
      model: 'public-model',
      choices,
      usage: { ...tokens, ...price, is_byok: false, estimated_cost: 1, cost_in_usd_ticks: 2 },
    });
    const frame = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'public-model',
    };
    const kept = { ...frame, choices, usage: tokens };
    expect(JSON.parse(bytes.toString())).toEqual(kept);
    expect(usage).toMatchObject({ input: 8, output: 2 });
  });

  it('has the text of all choices, reasoning included', () => {
    const { deliveredText } = reply({
      choices: [
        { message: { reasoning: 'why', content: 'a' } },
        { message: { content: [{ type: 'text', text: 'b' }], refusal: null } },
      ],
    });
    expect(deliveredText()).toBe('whyab');
  });

  it('has name and input of a custom tool as text, and leaves them as they are', () => {
    const custom = { id: 'a', type: 'custom', custom: { name: 'f', input: '' } };
    const calls = [custom, { ...custom, id: 'b', custom: { name: 'g', input: 'ls -l' } }];
    const { bytes, deliveredText } = reply({ choices: [{ message: { tool_calls: calls } }] });
    expect(JSON.parse(bytes.toString())).toMatchObject({
      choices: [{ message: { tool_calls: calls } }],
    });
    expect(deliveredText()).toBe('fgls -l');
  });

  it('says that a function was called in the form before tools, with arguments that are text', () => {
    const call = { name: 'f', arguments: { a: 1 } };
    const message = { role: 'assistant', content: null, function_call: call };
    const { bytes, deliveredText } = reply({ choices: [{ message, finish_reason: 'stop' }] });
    expect(JSON.parse(bytes.toString())).toMatchObject({
      choices: [
        { message: { function_call: { arguments: '{"a":1}' } }, finish_reason: 'function_call' },
      ],
    });
    expect(deliveredText()).toBe('f{"a":1}');
    const silent = { ...message, function_call: { name: '', arguments: '' } };
    const said = reply({ choices: [{ message: silent, finish_reason: 'stop' }] }).bytes.toString();
    expect(said).toContain('"finish_reason":"stop"');
  });

  it('has what audio says as text', () => {
    const audio = { id: 'a', data: 'AAAA', transcript: 'low water' };
    expect(reply({ choices: [{ message: { content: null, audio } }] }).deliveredText()).toBe(
      'low water',
    );
  });

  it('makes strings of content that is a list of thinking and text', () => {
    const thinking = [
      { type: 'text', text: 'Hm' },
      { type: 'reference', reference_ids: [1] },
    ];
    const message = {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking },
        { type: 'text', text: 'It ' },
        { type: 'text', text: 'rises.' },
      ],
    };
    const { bytes, deliveredText } = reply({ choices: [{ message, finish_reason: 'stop' }] });
    expect(JSON.parse(bytes.toString())).toMatchObject({
      choices: [{ message: { role: 'assistant', content: 'It rises.', reasoning_content: 'Hm' } }],
    });
    expect(deliveredText()).toBe('HmIt rises.');
  });

  it('leaves a list with an image as it is, and counts it', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'u' } },
    ];
    const { bytes, deliveredText } = reply({ choices: [{ message: { content } }] });
    expect(JSON.parse(bytes.toString())).toMatchObject({ choices: [{ message: { content } }] });
    expect(deliveredText()).toBe(JSON.stringify(content));
  });

  it.each([
    ['HTML', '<html><body>Login</body></html>'],
    ['text', 'upstream connect error'],
    ['nothing', ''],
    ['a reply that is cut off', '{"id":"x","choices":[{"message":{"content":"a'],
    ['an array', '[]'],
    ['an error under status 200', '{"error":{"message":"overloaded"}}'],
    [
      'a choice that failed',
      '{"choices":[{"message":{"content":"a"},"finish_reason":"error","error":{"code":502}}]}',
    ],
    ...['network_error', 'insufficient_system_resource', 'abort'].map((reason) => [
      `a choice that ended in ${reason}`,
      `{"choices":[{"message":{"content":"a"},"finish_reason":"${reason}"}]}`,
    ]),
    ['an error alongside choices', '{"error":"x","choices":[{"message":{"content":"a"}}]}'],
    ['no choices', '{"id":"x","object":"chat.completion"}'],
    ['an empty list of choices', '{"choices":[]}'],
    ['a choice without a message', '{"choices":[{"text":"legacy"}]}'],
  ])('does not take %s for a reply', (_name, body) => {
    expect(readChatReply(Buffer.from(body), 'm')).toBeUndefined();
  });
});
