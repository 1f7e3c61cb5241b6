import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { passThrough } from '../../../../gateway/protocols/openai-completions/pass-through/pass-through.ts';
import {
  parseRequest,
  type CompletionRequest,
} from '../../../../gateway/protocols/openai-completions/from-client/parse-request.ts';
import { REQUEST_LIMITS, type Reply } from '../../../../gateway/protocols/protocol.ts';
import type { StreamReader } from '../../../../gateway/protocols/stream-reader.ts';
import { headFor } from '../../../support/clients/request-head.ts';

const NO_FAILURE = (): undefined => undefined;
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

function parse(fields: object = {}): CompletionRequest {
  const body = { model: 'public', prompt: 'Once', ...fields };
  const bytes = Buffer.from(JSON.stringify(body));
  const request = parseRequest(bytes, headFor('completions'), REQUEST_LIMITS);
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}

function decode(reply: object | string, fields: object = {}): Reply | undefined {
  const body = typeof reply === 'string' ? reply : JSON.stringify(reply);
  return passThrough.decode(Buffer.from(body), parse(fields), NO_FAILURE);
}

function choice(text: string, index = 0, reason: string | null = 'stop'): object {
  return { text, index, logprobs: null, finish_reason: reason };
}

function replyOf(choices: object[], extra: object = {}): object {
  return { id: 'cmpl-1', object: 'text_completion', created: 1, model: 'up', choices, ...extra };
}

function chunk(choices: object[], extra: object = {}): Buffer {
  return Buffer.from(`data: ${JSON.stringify(replyOf(choices, extra))}\n\n`);
}

function open(fields: object = {}): StreamReader {
  return passThrough.openStream(parse({ stream: true, ...fields }), NO_FAILURE);
}

function push(stream: StreamReader, ...chunks: Buffer[]): string {
  return Buffer.concat(chunks.map((one) => stream.push(one))).toString();
}

describe('a whole reply of completions', () => {
  it('has the public name of the model, and its usage', () => {
    const reply = decode(replyOf([choice(' upon')], { usage: { ...USAGE, cost: 1 } }));
    expect(JSON.parse(reply?.bytes.toString() ?? '')).toEqual({
      ...replyOf([choice(' upon')]),
      model: 'public',
      usage: USAGE,
    });
    expect(reply?.usage).toMatchObject({ input: 3, output: 2 });
    expect(reply?.deliveredText()).toBe(' upon');
  });

  it('gets usage that was counted here', () => {
    const reply = decode(replyOf([choice('a')]));
    expect(reply?.usage).toBeNull();
    const counts = { input: 7, cachedInput: 0, cacheWrite: 0, output: 1, reasoning: 0 };
    expect(JSON.parse(reply?.withUsage(counts).toString() ?? '')).toMatchObject({
      usage: { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 },
    });
  });

  it('is not billed for the prompt that comes back in it', () => {
    const echoed = { prompt: ['Once', 'Twice'], echo: true, n: 2, max_tokens: 5 };
    const choices = ['Once a', 'Once b', 'Twice c', 'Twice d'].map((text, at) => choice(text, at));
    expect(decode(replyOf(choices), echoed)?.deliveredText()).toBe(' a b c d');
    const scored = { prompt: [1, 2], echo: true, max_tokens: 0 };
    expect(decode(replyOf([choice('Once')]), scored)?.deliveredText()).toBe('');
  });

  it.each([
    '<html>',
    '{"error":{"message":"x"}}',
    '{"choices":[]}',
    '{"choices":[{"index":0,"message":{"content":"x"}}]}',
    '{"choices":[{"index":0,"text":"x","finish_reason":"error"}]}',
  ])('is none: %s', (body) => {
    expect(decode(body)).toBeUndefined();
  });
});

describe('a stream of completions', () => {
  it('passes text under the public name, and usage only to those who ask', () => {
    const stream = open();
    const sent = push(
      stream,
      chunk([choice('Once', 0, null)], { usage: null }),
      chunk([choice(' upon', 0, null)], { usage: null }),
      chunk([choice('', 0, 'length')], { usage: null }),
      chunk([], { usage: USAGE }),
      Buffer.from('data: [DONE]\n\n'),
    );
    expect(sent).not.toContain('"up"');
    expect(sent.match(/"text":"[^"]*"/g)).toEqual(['"text":"Once"', '"text":" upon"', '"text":""']);
    expect(sent).toContain('"finish_reason":"length"');
    expect(sent).not.toContain('prompt_tokens');
    expect(stream).toMatchObject({ hasContent: true, finished: true, whole: true, done: true });
    expect(stream.usage).toMatchObject({ input: 3, output: 2 });
    expect(stream.endMarker(null)).toBe('data: [DONE]\n\n');
  });

  it('ends with the usage that was asked for', () => {
    const stream = open({ stream_options: { include_usage: true } });
    push(stream, chunk([choice('a', 0, 'stop')]), chunk([], { usage: USAGE }));
    const end = stream.endMarker(null);
    expect(end).toContain('"object":"text_completion"');
    expect(end).toContain('"choices":[],"usage":{"prompt_tokens":3');
    expect(end.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('is whole when every completion has ended', () => {
    const stream = open({ prompt: ['a', 'b'] });
    push(stream, chunk([choice('x', 0, 'stop')]));
    expect(stream).toMatchObject({ finished: true, whole: false });
    push(stream, chunk([choice('y', 1, 'stop')]));
    expect(stream.whole).toBe(true);
    expect(stream.deliveredText()).toBe('xy');
  });

  it('is not billed for the prompt that comes back in it, however it is cut', () => {
    for (const pieces of [['Once', ' upon'], ['On', 'ce up', 'on'], ['Once upon']]) {
      const stream = open({ echo: true });
      push(stream, ...pieces.map((text) => chunk([choice(text, 0, null)])));
      expect(stream.deliveredText()).toBe(' upon');
    }
  });

  it('is cut short as one that has reached its limit', () => {
    const stream = open();
    push(stream, chunk([choice('a', 0, null)]));
    expect(stream.cutShort()).toContain('"text":"","logprobs":null,"finish_reason":"length"');
    expect(stream.finished).toBe(true);
  });

  it('fails at an error', () => {
    const stream = open();
    push(stream, Buffer.from('data: {"error":{"message":"broken"}}\n\n'));
    expect(stream.failure?.detail).toContain('broken');
  });

  it('has one end for each completion, and a text in every chunk', () => {
    const stream = open();
    const sent = push(
      stream,
      chunk([{ index: 0, finish_reason: '' }]),
      chunk([choice('a', 0, 'stop')]),
      chunk([choice('', 0, 'stop')]),
    );
    expect(sent.match(/"finish_reason":"stop"/g)).toHaveLength(1);
    expect(sent.match(/"text":/g)).toHaveLength(3);
  });
});
