import { CHAT_HEAD } from '../../../support/clients/chat-head.ts';
import { targetOf } from '../../../support/upstreams/target.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { encodeRequest } from '../../../../gateway/protocols/openai-chat/to-upstream/encode-request.ts';
import {
  parseRequest,
  type ChatRequest,
} from '../../../../gateway/protocols/openai-chat/from-client/parse-request.ts';
import { REQUEST_LIMITS, type Target } from '../../../../gateway/protocols/protocol.ts';

const MINIMAL = { model: 'public', messages: [{ role: 'user', content: 'grüß dich' }] };

function parse(body: object | string): ChatRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const request = parseRequest(Buffer.from(text), CHAT_HEAD, REQUEST_LIMITS);
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}

function upstream(
  body: object | string,
  target: Partial<Target> = {},
  upstreamModel = 'upstream',
): unknown {
  const { body: bytes } = encodeRequest(parse(body), targetOf({ upstreamModel, ...target }));
  return JSON.parse(bytes.toString());
}

describe('parseRequest', () => {
  it('bounds the prompt by the bytes, with room for what vendors and media add', () => {
    const plain = parse(MINIMAL);
    expect(plain.promptTokensBound).toBeGreaterThan(plain.bytes.length);
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    const seen = parse({ model: 'm', messages: [{ role: 'user', content: [image] }] });
    expect(seen.promptTokensBound).toBeGreaterThan(48_000);
    expect(
      parse({ ...MINIMAL, tools: [{ type: 'function', function: { name: 'f' } }] })
        .promptTokensBound,
    ).toBeGreaterThan(plain.promptTokensBound + 600);
  });

  it.each([
    ['image_url', true],
    ['input_audio', true],
    ['refusal', true],
    ['file', false],
    ['video_url', false],
    ['of a later day', false],
  ])('bounds a prompt with a part of type %s: %s', (type, bounded) => {
    for (const text of ['', 'x'.repeat(2_000)]) {
      const content = [{ type: 'text', text }, { type }, { type: 'image_url' }];
      const request = parse({ model: 'm', messages: [{ role: 'user', content }] });
      expect(request.hasUnboundedParts).toBe(!bounded);
      expect(Number.isFinite(request.promptTokensBound)).toBe(bounded);
      expect(Number.isFinite(request.promptTokensEstimate)).toBe(true);
    }
  });

  it('estimates the prompt by its text, and what is no text by its kind', () => {
    const photo = {
      type: 'image_url',
      image_url: { url: `data:image/jpeg;base64,${'A'.repeat(4_000_000)}` },
    };
    const saying = (text: string, ...parts: object[]) =>
      parse({
        model: 'm',
        messages: [
          { role: 'system', content: 'You see.' },
          { role: 'user', content: [{ type: 'text', text }, ...parts] },
        ],
      }).promptTokensEstimate;
    const text = 'What is this? '.repeat(500);
    const alone = saying(text);
    expect(alone).toBeGreaterThan(text.length / 4);
    expect(alone).toBeLessThan(text.length / 4 + 50);
    expect(saying(text, photo) - alone).toBeLessThan(2_000);
    expect(saying(text, photo, photo) - alone).toBeGreaterThan(100);
    // Some clients write every field of a part; such a body is not skimmed but parsed.
    expect(saying(text, { ...photo, text: null }) - alone).toBeLessThan(2_000);
    // Numbers that are longer when rewritten than as they came.
    const swollen = `[${'1e20,'.repeat(10_000)}1]`;
    const odd = `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","x":1,"x":${swollen}}]}]}`;
    expect(parse(odd).promptTokensEstimate).toBeGreaterThan(0);
    // A kind that is not known here may be text by another name.
    const later = { type: 'input_text', text };
    expect(saying(text, later)).toBeGreaterThan(2 * alone - 50);
    expect(saying(text, { ...later, type: 'täxt' })).toBeGreaterThan(2 * alone - 50);
  });

  it.each(['model', 'stream_options', 'max_tokens', 'max_completion_tokens'])(
    'refuses %s written with escapes, because it could not be replaced',
    (name) => {
      const escaped = name.replace('m', '\\u006d');
      const values: Record<string, string> = { model: '"m"', stream_options: '{}' };
      const model = name === 'model' ? '' : '"model":"m",';
      const body = `{${model}"${escaped}":${values[name] ?? '5'},"messages":[{"role":"user","content":"x"}]}`;
      expect(parseRequest(Buffer.from(body), CHAT_HEAD, REQUEST_LIMITS)).toMatchObject({
        refused: 'invalid_value',
        param: name,
      });
    },
  );

  const longMessages = [{ role: 'user', content: 'x'.repeat(2_000) }];
  it.each([
    ['MODEL', 'model', 'dear'],
    ['Max_tokens', 'max_tokens', 100_000],
    ['Max_Completion_Tokens', 'max_completion_tokens', null],
    ['N', 'n', 16],
    ['Stream', 'stream', true],
    ['max_to\u212aens', 'max_tokens', 100_000],
    ['me\u017f\u017fages', 'messages', []],
    ['serv\u0130ce_tier', 'service_tier', 'priority'],
    ['Service_Tier', 'service_tier', 'priority'],
    ['Plugins', 'plugins', []],
    ['Messages', 'messages', []],
    ['Tools', 'tools', []],
    ['Temperature', 'temperature', 1],
  ])('refuses %s, which some upstreams read as %s', (key, field, value) => {
    const refused = { refused: 'invalid_value', param: field };
    const message = expect.stringContaining(`"${field}"`) as string;
    const escaped = JSON.stringify(key).replace(/[A-Z\u0080-\uffff]/u, (letter) => {
      return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
    for (const messages of [MINIMAL.messages, longMessages]) {
      const rest = JSON.stringify({ ...MINIMAL, messages }).slice(1);
      for (const name of [JSON.stringify(key), escaped]) {
        const body = Buffer.from(`{${name}:${JSON.stringify(value)},${rest}`);
        expect(parseRequest(body, CHAT_HEAD, REQUEST_LIMITS)).toMatchObject({
          ...refused,
          message,
        });
      }
    }
  });

  it.each(['myField', 'enableThinking', 'topK', 'X', 'größe', 'Model2', 'İ'])(
    'takes %s for a field of its own',
    (key) => {
      for (const messages of [MINIMAL.messages, longMessages]) {
        expect(upstream({ ...MINIMAL, messages, [key]: 1 })).toHaveProperty([key], 1);
      }
    },
  );

  it('refuses an option of streams in another spelling, too', () => {
    for (const messages of [MINIMAL.messages, longMessages]) {
      const stream_options = { include_usage: true, Include_Usage: false };
      const body = JSON.stringify({ ...MINIMAL, messages, stream: true, stream_options });
      expect(parseRequest(Buffer.from(body), CHAT_HEAD, REQUEST_LIMITS)).toMatchObject({
        refused: 'invalid_value',
        param: 'stream_options.include_usage',
      });
    }
  });

  const TOOL = { type: 'function', function: { name: 'f' } };
  it.each([
    { type: 'openrouter:web_search' },
    { type: 'builtin_function', function: { name: '$web_search' } },
    { type: 'browser_search' },
    { type: 'web_search', web_search: { enable: true } },
    { type: 'web_search_preview' },
    { type: 'Function', function: {} },
    { ...TOOL, Type: 'web_search' },
    { tYPe: 'web_search', function: {} },
    { type: 'function\u0000' },
  ])('refuses the tool %j, which the upstream would run at a fee of its own', (tool) => {
    for (const messages of [MINIMAL.messages, longMessages]) {
      const body = JSON.stringify({ ...MINIMAL, messages, tools: [TOOL, tool, TOOL] });
      expect(parseRequest(Buffer.from(body), CHAT_HEAD, REQUEST_LIMITS)).toMatchObject({
        refused: 'invalid_value',
        param: 'tools[1].type',
        message: expect.stringMatching(/"function" or "custom"|lower-case/) as string,
      });
    }
  });

  it('refuses a model named twice, whichever name would win', () => {
    const body = `{"model":"cheap","messages":[{"role":"user","content":"x"}],"model":"dear"}`;
    expect(parseRequest(Buffer.from(body), CHAT_HEAD, REQUEST_LIMITS)).toMatchObject({
      refused: 'invalid_value',
      param: 'model',
    });
  });
});

describe('encodeRequest', () => {
  it('hands on the very bytes when nothing differs', () => {
    const request = parse(MINIMAL);
    expect(encodeRequest(request, targetOf({ upstreamModel: 'public' })).body).toBe(request.bytes);
    const asking = parse({ ...MINIMAL, stream: true, stream_options: { include_usage: true } });
    expect(encodeRequest(asking, targetOf({ upstreamModel: 'public' })).body).toBe(asking.bytes);
  });

  it('changes the model and not a byte besides', () => {
    const body = `{ "seed": 12345678901234567890, "model" : "public",\n "messages":[{"role":"user","content":"\\u00fc \\/"}], "temperature": 1.0 }`;
    expect(encodeRequest(parse(body), targetOf({ upstreamModel: 'öther' })).body.toString()).toBe(
      body.replace('"model" : "public"', '"model" : "öther"'),
    );
  });

  it('asks for usage on a stream and keeps the other stream options', () => {
    expect(upstream({ ...MINIMAL, stream: true })).toEqual({
      ...MINIMAL,
      model: 'upstream',
      stream: true,
      stream_options: { include_usage: true },
    });
    const sent = {
      ...MINIMAL,
      stream: true,
      stream_options: { include_usage: false, include_obfuscation: false },
    };
    expect(upstream(sent)).toMatchObject({
      stream_options: { include_usage: true, include_obfuscation: false },
    });
    expect(upstream({ ...MINIMAL, stream: true, stream_options: null })).toMatchObject({
      stream_options: { include_usage: true },
    });
  });

  it('takes stream options out when there is no stream', () => {
    const sent = { ...MINIMAL, stream_options: { include_usage: true } };
    expect(upstream(sent)).toEqual({ ...MINIMAL, model: 'upstream' });
  });

  it.each([
    ['neither name, ordinary model', {}, 'gpt-4o', { max_tokens: 50 }],
    ['neither name, reasoning model', {}, 'o3-mini', { max_completion_tokens: 50 }],
    ['the older name', { max_tokens: 900 }, 'gpt-4o', { max_tokens: 50 }],
    [
      'the older name, reasoning model',
      { max_tokens: 900 },
      'o3-mini',
      { max_completion_tokens: 50 },
    ],
    ['the newer name', { max_completion_tokens: 900 }, 'gpt-4o', { max_completion_tokens: 50 }],
    [
      'both names',
      { max_tokens: 900, max_completion_tokens: 800 },
      'gpt-4o',
      { max_completion_tokens: 50 },
    ],
    [
      'null under the newer name',
      { max_tokens: 900, max_completion_tokens: null },
      'gpt-4o',
      { max_tokens: 50 },
    ],
  ])('imposes a limit on a request with %s', (_name, sent, model, expected) => {
    const body = upstream({ ...MINIMAL, ...sent }, { outputTokensCap: 50 }, model);
    expect(body).toEqual({ ...MINIMAL, model, ...expected });
  });

  it('sends one name only when the client sent both', () => {
    const body = upstream({ ...MINIMAL, max_tokens: 900, max_completion_tokens: 800 });
    expect(body).toEqual({ ...MINIMAL, model: 'upstream', max_completion_tokens: 800 });
  });

  it.each([
    ['gpt-6-luna', { max_tokens: 100 }, { max_completion_tokens: 100 }],
    ['openai/o3-mini', { max_tokens: 100 }, { max_completion_tokens: 100 }],
    ['o3-mini', { max_tokens: 100, max_completion_tokens: null }, { max_completion_tokens: 100 }],
    ['o3-mini', { max_completion_tokens: 100 }, { max_completion_tokens: 100 }],
    ['gpt-4o', { max_tokens: 100 }, { max_tokens: 100 }],
    ['gpt-4o', { max_completion_tokens: 100 }, { max_completion_tokens: 100 }],
  ])('sends %s the limit under a name that it knows: %j', (model, sent, expected) => {
    expect(upstream({ ...MINIMAL, ...sent }, {}, model)).toEqual({
      ...MINIMAL,
      model,
      ...expected,
    });
  });

  it('uses the name that the upstream takes', () => {
    const options = { outputLimitField: 'max_tokens' } as const;
    expect(upstream({ ...MINIMAL, max_completion_tokens: 800 }, options)).toEqual({
      ...MINIMAL,
      model: 'upstream',
      max_tokens: 800,
    });
    expect(upstream({ ...MINIMAL, max_tokens: 7, max_completion_tokens: 800 }, options)).toEqual({
      ...MINIMAL,
      model: 'upstream',
      max_tokens: 800,
    });
    expect(upstream(MINIMAL, options)).toEqual({ ...MINIMAL, model: 'upstream' });
  });

  it('withholds fields that would make the upstream charge for something else', () => {
    const sent = {
      models: ['dear'],
      ...MINIMAL,
      provider: { order: [] },
      service_tier: 'priority',
      route: 'fallback',
      plugins: [{ id: 'web' }],
      web_search_options: {},
      search_parameters: { mode: 'on' },
      enable_search: true,
      fallbacks: [{ model: 'dear' }],
      context_window_fallbacks: [{ public: ['dear'] }],
      content_policy_fallbacks: [{ public: ['dear'] }],
      mock_testing_fallbacks: true,
      mock_testing_context_fallbacks: true,
      mock_testing_content_policy_fallbacks: true,
      mock_response: 'said by nobody',
      preset: 'dear',
      compound_custom: { models: { answering_model: 'dear' } },
    };
    expect(upstream(sent)).toEqual({ ...MINIMAL, model: 'upstream' });
  });

  it('leaves out what the upstream refuses, and asks no upstream for usage that refuses that', () => {
    const omittedFields = ['stream_options', 'store', 'service_tier', 'top_k'];
    const options = { omittedFields };
    const sent = { ...MINIMAL, store: false, service_tier: 'auto', stream: true };
    expect(upstream({ ...sent, stream_options: { include_usage: true } }, options)).toEqual({
      ...MINIMAL,
      model: 'upstream',
      stream: true,
    });
    expect(upstream(sent, options)).not.toHaveProperty('stream_options');
    expect(upstream(sent)).toHaveProperty('stream_options');
  });

  it('changes nothing else in any request', () => {
    const extra = fc.dictionary(
      fc.string().filter((key) => !['__proto__', 'toString'].includes(key)),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(extra, fc.boolean(), fc.constantFrom(0, 2), (fields, stream, indent) => {
        const sent = { top_k: 1, ...MINIMAL, stream, x_extra: fields };
        const expected = {
          ...sent,
          model: 'upstream',
          ...(stream ? { stream_options: { include_usage: true } } : {}),
        };
        expect(upstream(JSON.stringify(sent, null, indent))).toEqual(
          JSON.parse(JSON.stringify(expected)),
        );
      }),
      { numRuns: 300 },
    );
  });
});
