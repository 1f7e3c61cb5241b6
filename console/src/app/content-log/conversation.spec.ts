import { describe, expect, it } from 'vitest';
import { promptOf, replyOf } from './conversation';

const sse = (...events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

describe('The prompt', () => {
  it.each([
    [
      'chat completions',
      {
        messages: [
          { role: 'system', content: 'be kind' },
          { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        ],
      },
    ],
    ['Messages', { system: 'be kind', messages: [{ role: 'user', content: 'hi' }] }],
    ['Responses', { instructions: 'be kind', input: 'hi' }],
    [
      'Gemini',
      {
        systemInstruction: { parts: [{ text: 'be kind' }] },
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      },
    ],
  ])('of %s is read as a conversation', (_protocol, body) => {
    expect(promptOf(JSON.stringify(body))).toEqual([
      { role: 'system', text: 'be kind' },
      { role: 'user', text: 'hi' },
    ]);
  });

  it('shows calls of tools and their results, and names what is no text', () => {
    const messages = [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ function: { name: 'look', arguments: '{"at":1}' } }],
      },
      { role: 'tool', content: 'a cat' },
    ];
    expect(promptOf(JSON.stringify({ messages }))).toEqual([
      { role: 'user', text: '[image_url]' },
      { role: 'assistant', text: 'look({"at":1})' },
      { role: 'tool', text: 'a cat' },
    ]);
  });

  it('that was cut, or is none, is shown as it is', () => {
    expect(promptOf('{"messages":[{"role":"us')).toBeUndefined();
    expect(promptOf('{"model":"m"}')).toBeUndefined();
    expect(promptOf('[1]')).toBeUndefined();
  });
});

describe('The reply', () => {
  it.each([
    [
      'chat completions',
      JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'hello' } }] }),
    ],
    ['Messages', JSON.stringify({ content: [{ type: 'text', text: 'hello' }] })],
    [
      'Responses',
      JSON.stringify({
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'hello' }] }],
      }),
    ],
    ['Gemini', JSON.stringify({ candidates: [{ content: { parts: [{ text: 'hello' }] } }] })],
    ['an error', JSON.stringify({ error: { message: 'hello' } })],
    [
      'streamed chat completions',
      sse(
        { choices: [{ delta: { content: 'hel' } }] },
        { choices: [{ delta: { content: 'lo' } }] },
      ) + 'data: [DONE]\n\n',
    ],
    [
      'streamed Messages',
      sse(
        { type: 'content_block_delta', delta: { type: 'text_delta', text: 'hel' } },
        { type: 'content_block_delta', delta: { text: 'lo' } },
      ),
    ],
    [
      'streamed Responses',
      sse(
        { type: 'response.output_text.delta', delta: 'hel' },
        { type: 'response.output_text.delta', delta: 'lo' },
        { type: 'response.output_text.done', text: 'hello' },
      ),
    ],
    [
      'streamed Gemini',
      sse(
        { candidates: [{ content: { parts: [{ text: 'hel' }] } }] },
        { candidates: [{ content: { parts: [{ text: 'lo' }] } }] },
      ),
    ],
  ])('of %s is read', (_protocol, reply) => {
    expect(replyOf(reply)).toBe('hello');
  });

  it('that was cut in the middle of an event shows what came before', () => {
    expect(replyOf(`${sse({ choices: [{ delta: { content: 'hello' } }] })}data: {"choi`)).toBe(
      'hello',
    );
  });

  it('without any words is shown as it is', () => {
    expect(replyOf('{"data":[{"embedding":[1]}]}')).toBeUndefined();
    expect(replyOf('Bad Gateway')).toBeUndefined();
  });
});
