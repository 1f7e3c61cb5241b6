import fc from 'fast-check';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoTokens } from '../../../gateway/demo/demo-tokens.ts';
import { startDemoUpstream, type DemoUpstream } from '../../../gateway/demo/demo-upstream.ts';

let demo: DemoUpstream;
let client: OpenAI;
beforeAll(async () => {
  demo = await startDemoUpstream({ host: '127.0.0.1', port: 0, tokenDelayMs: 1 });
  client = new OpenAI({ baseURL: demo.url, apiKey: 'sk-any', maxRetries: 0 });
});
afterAll(() => demo.close());

const model = 'demo';
const messages = [{ role: 'user' as const, content: 'What is a weir?' }];

describe('the demo upstream', () => {
  it('says what it is and how to reach a real model', async () => {
    const { choices } = await client.chat.completions.create({ model, messages });
    const text = choices[0]?.message.content;
    expect(text).toContain("Weir's demo upstream");
    expect(text).toContain('"What is a weir?"');
    expect(text).toContain('UPSTREAM_BASE_URL');
    expect(choices[0]?.finish_reason).toBe('stop');
  });

  it('streams the same text with the same usage', async () => {
    const whole = await client.chat.completions.create({ model, messages });
    const stream = client.chat.completions.stream({
      model,
      messages,
      stream_options: { include_usage: true },
    });
    let pieces = 0;
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) pieces += 1;
    const streamed = await stream.finalChatCompletion();
    expect(streamed.choices[0]?.message.content).toBe(whole.choices[0]?.message.content);
    expect(streamed.usage).toEqual(whole.usage);
    expect(pieces).toBe(whole.usage?.completion_tokens);
  });

  it('stops at max_tokens with finish_reason length', async () => {
    for (const limit of [{ max_tokens: 5 }, { max_completion_tokens: 5 }]) {
      const reply = await client.chat.completions.create({ model, messages, ...limit });
      expect(reply.choices[0]?.finish_reason).toBe('length');
      expect(reply.usage?.completion_tokens).toBe(5);
    }
  });

  it('stops before a stop text', async () => {
    const reply = await client.chat.completions.create({ model, messages, stop: ['demo'] });
    expect(reply.choices[0]?.message.content).toBe("Hello from Weir's ");
    expect(reply.choices[0]?.finish_reason).toBe('stop');
  });

  it('gives n choices and counts all of them', async () => {
    const one = await client.chat.completions.create({ model, messages });
    const three = await client.chat.completions.create({ model, messages, n: 3 });
    expect(three.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(three.usage?.completion_tokens).toBe(3 * (one.usage?.completion_tokens ?? 0));
    expect(three.usage?.prompt_tokens).toBe(one.usage?.prompt_tokens);
  });

  it('calls a tool only when it must', async () => {
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: {} } }];
    const free = await client.chat.completions.create({ model, messages, tools });
    expect(free.choices[0]?.message.tool_calls).toBeUndefined();
    const named = { type: 'function' as const, function: { name: 'weather' } };
    for (const choice of ['required' as const, named]) {
      const body = { model, messages, tools, tool_choice: choice };
      const whole = await client.chat.completions.create(body);
      const streamed = await client.chat.completions.stream(body).finalChatCompletion();
      for (const reply of [whole, streamed]) {
        expect(reply.choices[0]).toMatchObject({
          finish_reason: 'tool_calls',
          message: {
            content: null,
            tool_calls: [{ function: { name: 'weather', arguments: '{}' } }],
          },
        });
      }
    }
  });

  it('answers JSON when JSON is asked for', async () => {
    const reply = await client.chat.completions.create({
      model,
      messages,
      response_format: { type: 'json_object' },
    });
    expect(JSON.parse(reply.choices[0]?.message.content ?? '')).toHaveProperty('message');
  });

  it('refuses what is not a chat completion request', async () => {
    const ask = (path: string, body: string): Promise<Response> =>
      fetch(`${demo.url}${path}`, { method: 'POST', body });
    expect((await ask('/chat/completions', '{"model":')).status).toBe(400);
    expect((await ask('/chat/completions', '{"model":"demo"}')).status).toBe(400);
    expect((await ask('/v1/chat/completions', '{}')).status).toBe(404);
  });

  it('goes on serving after a client left midway', async () => {
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) break;
    }
    const next = await client.chat.completions.create({ model, messages });
    expect(next.choices).toHaveLength(1);
  });
});

describe('its tokenizer', () => {
  it('loses and invents nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(demoTokens(text).join('')).toBe(text);
      }),
    );
  });

  it('continues a text, whole and streamed', async () => {
    const ask = { model, prompt: 'What is a weir?', max_tokens: 6 };
    const whole = await client.completions.create(ask);
    expect(whole.choices[0]).toMatchObject({ index: 0, finish_reason: 'length' });
    let text = '';
    for await (const chunk of await client.completions.create({ ...ask, stream: true })) {
      text += chunk.choices[0]?.text ?? '';
    }
    expect(text).toBe(whole.choices[0]?.text);
    expect(whole.usage?.completion_tokens).toBe(6);
  });

  it('embeds texts and tokens, as numbers and as base64', async () => {
    const input = ['a weir', 'a dam'];
    const plain = await client.embeddings.create({ model, input, encoding_format: 'float' });
    const packed = await client.embeddings.create({ model, input });
    expect(packed.data.map(({ embedding }) => [...embedding])).toEqual(
      plain.data.map(({ embedding }) => embedding),
    );
    expect(plain.usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
    const tokens = await client.embeddings.create({ model, input: [1, 2, 3], dimensions: 5 });
    expect(tokens.data).toHaveLength(1);
    expect(tokens.data[0]?.embedding).toHaveLength(5);
  });
});
