import { describe, expect, it } from 'vitest';
import { isRefusal, type Refusal } from '../../../../gateway/platform/errors/refusal.ts';
import { countPrompt } from '../../../../gateway/protocols/openai-embeddings/from-client/count-prompt.ts';
import {
  parseRequest,
  type EmbeddingsRequest,
} from '../../../../gateway/protocols/openai-embeddings/from-client/parse-request.ts';
import { passThrough } from '../../../../gateway/protocols/openai-embeddings/pass-through/pass-through.ts';
import { REQUEST_LIMITS, type Reply } from '../../../../gateway/protocols/protocol.ts';
import { headFor } from '../../../support/clients/request-head.ts';
import { targetOf } from '../../../support/upstreams/target.ts';

const HEAD = headFor('embeddings');
const USAGE = { prompt_tokens: 8, total_tokens: 8 };
const VECTOR = [0.5, -1, 0.25];

function tried(fields: object): EmbeddingsRequest | Refusal {
  const body = { model: 'public', input: 'Once upon', ...fields };
  return parseRequest(Buffer.from(JSON.stringify(body)), HEAD, REQUEST_LIMITS);
}

function parse(fields: object = {}): EmbeddingsRequest {
  const request = tried(fields);
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}

function decode(reply: object | string, fields: object = {}): Reply | undefined {
  const body = typeof reply === 'string' ? reply : JSON.stringify(reply);
  return passThrough.decode(Buffer.from(body), parse(fields), () => undefined);
}

function replyOf(embedding: unknown, extra: object = {}): object {
  const data = [{ object: 'embedding', index: 0, embedding }];
  return { object: 'list', data, model: 'up', usage: USAGE, ...extra };
}

function json(bytes: Uint8Array | undefined): unknown {
  return JSON.parse(Buffer.from(bytes ?? []).toString());
}

describe('an embeddings request', () => {
  it('is held for by its input alone', () => {
    expect(parse()).toMatchObject({ maxOutputTokens: 0, choices: 1, stream: false });
  });

  it('passes, under the upstream’s name of the model', () => {
    const fields = { input: ['a', 'b'], encoding_format: 'base64', dimensions: 3, user: 'u' };
    const encoded = passThrough.encode(parse({ ...fields, service_tier: 'flex' }), targetOf());
    if (isRefusal(encoded)) throw new Error(encoded.message);
    expect(json(encoded.body)).toEqual({ model: 'upstream', ...fields });
    const same = parse();
    expect(passThrough.encode(same, targetOf({ upstreamModel: 'public' }))).toEqual({
      body: same.bytes,
    });
  });

  it.each([
    [{ input: undefined }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: { text: 'x' } }, 'input'],
    [{ input: ['a', null] }, 'input[1]'],
    [{ encoding_format: 'int8' }, 'encoding_format'],
    [{ dimensions: 0 }, 'dimensions'],
    [{ stream: true }, 'stream'],
    [{ model: '' }, 'model'],
  ])('is refused by name: %j', (fields, param) => {
    expect(tried(fields)).toMatchObject({ param });
  });

  it('knows a request of Ollama', () => {
    expect(tried({ input: undefined, prompt: 'x' })).toMatchObject({
      message: expect.stringContaining('Ollama') as unknown,
    });
  });

  it.each([
    ['Once upon a time', 4],
    [['Once upon a time', 'Once upon'], 6],
    [[1, 2, 3], 3],
    [
      [
        [1, 2],
        [3, 4, 5],
      ],
      5,
    ],
  ])('counts %j as %i tokens', (input, tokens) => {
    const steps = countPrompt('text-embedding-3-small', parse({ input }).bytes);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    expect(step.value).toBe(tokens);
  });
});

describe('a reply of embeddings', () => {
  it('passes under the public name of the model, with every number as it was', () => {
    const body = `{"object":"list","data":[{"object":"embedding","index":0,"embedding":[1e-7,0.10000000000000000001]}],"model":"up","provider":"p","usage":{"prompt_tokens":8,"total_tokens":8}}`;
    const reply = decode(body);
    expect(reply?.bytes.toString()).toBe(
      body.replace('"up"', '"public"').replace('"provider":"p",', ''),
    );
    expect(reply?.usage).toMatchObject({ input: 8, output: 0 });
    expect(reply?.deliveredText()).toBe('');
  });

  it('has numbers as base64 for those who asked for it, also from servers that know none', () => {
    const floats = Buffer.from(new Float32Array(VECTOR).buffer).toString('base64');
    const reply = decode(replyOf(VECTOR), { encoding_format: 'base64' });
    expect(json(reply?.bytes)).toEqual({ ...replyOf(floats), model: 'public' });
    expect(json(decode(replyOf(floats), { encoding_format: 'base64' })?.bytes)).toEqual(
      json(reply?.bytes),
    );
  });

  it('gets usage that was counted here, and never the upstream’s price', () => {
    const unreported = decode(replyOf(VECTOR, { usage: undefined }));
    expect(unreported?.usage).toBeNull();
    const counts = { input: 7, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };
    expect(json(unreported?.withUsage(counts))).toMatchObject({
      usage: { prompt_tokens: 7, total_tokens: 7 },
    });
    const priced = decode(replyOf(VECTOR, { usage: { ...USAGE, cost: 0.1 } }));
    expect(json(priced?.bytes)).toEqual({ ...replyOf(VECTOR), model: 'public' });
  });

  it('is billed by the total where that is all there is', () => {
    expect(decode(replyOf(VECTOR, { usage: { total_tokens: 9 } }))?.usage).toMatchObject({
      input: 9,
      output: 0,
    });
  });

  it.each([
    '<html>',
    '[]',
    '{"error":{"message":"x"},"data":[]}',
    '{"object":"list","model":"m"}',
    '{"object":"list","data":{}}',
    '{"object":"list","data":[{"embedding":[0.1,',
  ])('is none: %s', (body) => {
    expect(decode(body)).toBeUndefined();
  });
});
