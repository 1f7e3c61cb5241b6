import { describe, expect, it } from 'vitest';
import { encodeRequest } from '../../../../gateway/protocols/anthropic-messages/to-upstream/encode-request.ts';
import { parseRequest } from '../../../../gateway/protocols/anthropic-messages/from-client/parse-request.ts';
import { passThrough } from '../../../../gateway/protocols/anthropic-messages/pass-through/pass-through.ts';
import { REQUEST_LIMITS } from '../../../../gateway/protocols/protocol.ts';
import { ENDPOINTS } from '../../../../gateway/protocols/registry.ts';
import {
  accepted,
  MESSAGES_HEAD,
  messagesTarget,
  parsed,
} from '../../../support/clients/messages-request.ts';

const HOUR = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const IMAGE = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
};
const PDF = {
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
};

function user(...content: readonly object[]): object {
  return { messages: [{ role: 'user', content }] };
}

describe('a Messages request is refused', () => {
  it.each([
    ['without a model', { model: undefined }, 'model'],
    ['without max_tokens', { max_tokens: undefined }, 'max_tokens'],
    ['with half a token', { max_tokens: 1.5 }, 'max_tokens'],
    ['with a negative limit', { max_tokens: -1 }, 'max_tokens'],
    ['without messages', { messages: undefined }, 'messages'],
    ['with no message', { messages: [] }, 'messages'],
    [
      'with a role of chat completions',
      { messages: [{ role: 'tool', content: 'x' }] },
      'messages[0].role',
    ],
    ['without content', { messages: [{ role: 'user' }] }, 'messages[0].content'],
    ['with a block without type', user({ text: 'x' }), 'messages[0].content[0].type'],
    ['with a text that is none', user({ type: 'text', text: 1 }), 'messages[0].content[0].text'],
    ['with a stream that is neither', { stream: 'yes' }, 'stream'],
    ['with tools that are none', { tools: {} }, 'tools'],
    ['with a tool without a name', { tools: [{}] }, 'tools[0].name'],
    [
      'with a tool for code',
      { tools: [{ type: 'code_execution_20260120', name: 'c' }] },
      'tools[0].type',
    ],
    ['with an advisor', { tools: [{ type: 'advisor_20260301', name: 'a' }] }, 'tools[0].type'],
    [
      'with a type in capitals',
      { tools: [{ type: 'custom', name: 'a', Type: 'web_search_1' }] },
      'tools[0].type',
    ],
    ['with a place of inference', { inference_geo: 'us' }, 'inference_geo'],
    ['with servers of tools', { mcp_servers: [{ url: 'https://x' }] }, 'mcp_servers'],
    ['with a container', { container: { id: 'c' } }, 'container'],
    ['with a thread', { thread: { create: {} } }, 'thread'],
    ['with a field in capitals', { Speed: 'fast' }, 'speed'],
    [
      'with a file by its id',
      user({ type: 'image', source: { type: 'file', file_id: 'f' } }),
      'messages[0].content[0].source',
    ],
  ])('%s', (_name, fields, param) => {
    expect(parsed(fields)).toMatchObject({ param });
  });

  it('with a name that is written with escapes', () => {
    const body = '{"mod\\u0065l":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}]}';
    const request = parseRequest(Buffer.from(body), MESSAGES_HEAD, REQUEST_LIMITS);
    expect(request).toMatchObject({ refused: 'invalid_value', param: 'model' });
  });
});

describe('a Messages request is let through', () => {
  it.each([
    ['that only warms the cache', { max_tokens: 0 }],
    [
      'with a system message in the middle',
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'system', content: 'b' },
        ],
      },
    ],
    [
      'with fields that nobody knows',
      { safeguards: [], tags: ['a'], context_management: { edits: [] } },
    ],
    ['with blocks that nobody knows', user({ type: 'hologram' })],
    [
      'with tools of the client',
      {
        tools: [
          { name: 'a' },
          { type: 'bash_20250124', name: 'bash' },
          { type: 'custom', name: 'b' },
        ],
      },
    ],
    ['with an empty list of servers', { mcp_servers: [] }],
  ])('%s', (_name, fields) => {
    expect(accepted(fields).model).toBe('public-model');
  });

  it('to be counted, without a limit', () => {
    const endpoint = ENDPOINTS.find(({ path }) => path === 'messages/count_tokens');
    if (endpoint === undefined) throw new Error('counts are not served');
    const body = { model: 'm', messages: [{ role: 'user', content: 'foo' }], tools: [] };
    const bytes = Buffer.from(JSON.stringify(body));
    const request = parseRequest(bytes, { ...MESSAGES_HEAD, endpoint }, REQUEST_LIMITS);
    expect(request).toMatchObject({ maxOutputTokens: null });
  });
});

describe('of a Messages request is known', () => {
  it('that its limit is no promise', () => {
    expect(accepted({ max_tokens: 64_000 })).toMatchObject({
      maxOutputTokens: 64_000,
      heldInSlices: true,
    });
  });

  it.each([
    ['a block', user({ type: 'text', text: 'x', ...HOUR })],
    [
      'a block in a result',
      user({
        type: 'tool_result',
        tool_use_id: 'a',
        content: [{ type: 'text', text: 'x', ...HOUR }],
      }),
    ],
    ['the system prompt', { system: [{ type: 'text', text: 'x', ...HOUR }] }],
    ['a tool', { tools: [{ name: 'a', ...HOUR }] }],
    ['the request', HOUR],
  ])('that %s is to be cached for an hour', (_name, fields) => {
    expect(accepted(fields).meters).toEqual(['cacheWrite1h']);
  });

  it('that five minutes cost what any write costs', () => {
    const mark = { cache_control: { type: 'ephemeral', ttl: '5m' } };
    expect(accepted(user({ type: 'text', text: 'x', ...mark })).meters).toEqual([]);
  });

  it('that it may search the web', () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    expect(accepted({ tools })).toMatchObject({ meters: ['webSearch'], hasUnboundedParts: true });
  });

  it('what of it is no text', () => {
    const shot = { type: 'tool_result', tool_use_id: 'a', content: [IMAGE] };
    expect(accepted(user(IMAGE, shot)).hasUnboundedParts).toBe(false);
    expect(accepted(user(PDF)).hasUnboundedParts).toBe(true);
    const inline = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'x' },
    };
    expect(accepted(user(inline)).hasUnboundedParts).toBe(false);
  });

  it.each([
    ['the header', {}, { 'x-claude-code-session-id': 's-1' }],
    ['JSON in its user', { metadata: { user_id: '{"session_id":"s-1"}' } }, {}],
    ['the end of its user', { metadata: { user_id: 'user_ab_account__session_s-1' } }, {}],
  ])('its conversation, by %s', (_name, fields, headers) => {
    expect(accepted(fields, headers).conversation).toBe('s-1');
  });

  it('its conversation by what it began with, where none is named', () => {
    const beginning = (user_id: string, ...texts: string[]): string | null => {
      const turns = texts.map((content) => ({ role: 'user', content }));
      return accepted({ metadata: { user_id }, messages: turns }).conversation;
    };
    const named = beginning('someone', 'Tell me of ships');
    expect(named).not.toBeNull();
    expect(beginning('{broken', 'Tell me of ships', 'and of sails')).toBe(named);
    expect(beginning('someone', 'Tell me of trees')).not.toBe(named);
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    expect(accepted({ messages: [{ role: 'user', content: [image] }] }).conversation).toBeNull();
  });
});

describe('a Messages request leaves', () => {
  const encoded = (fields: object, target = {}): unknown =>
    JSON.parse(encodeRequest(accepted(fields), messagesTarget(target)).body.toString()) as unknown;

  it('without what costs more', () => {
    const sent = encoded({ service_tier: 'auto', speed: 'fast', fallbacks: [{ model: 'x' }] });
    expect(sent).not.toHaveProperty('service_tier');
    expect(sent).not.toHaveProperty('speed');
    expect(sent).not.toHaveProperty('fallbacks');
  });

  it('with the limit that can be paid for, and no more thinking than that', () => {
    const thinking = { type: 'enabled', budget_tokens: 8_192 };
    const fields = { max_tokens: 64_000, thinking };
    expect(encoded(fields, { outputTokensCap: 2_000 })).toMatchObject({
      max_tokens: 2_000,
      thinking: { type: 'enabled', budget_tokens: 1_999 },
    });
    const cut = encoded(fields, { outputTokensCap: 500 });
    expect(cut).toMatchObject({ max_tokens: 500 });
    expect(cut).not.toHaveProperty('thinking');
  });

  it('with the numbers of its tools as they were written', () => {
    const body =
      '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}],"tools":[{"name":"f","input_schema":{"maximum":9007199254740993}}]}';
    const request = parseRequest(Buffer.from(body), MESSAGES_HEAD, REQUEST_LIMITS);
    if ('refused' in request) throw new Error(request.message);
    expect(encodeRequest(request, messagesTarget()).body.toString()).toContain('9007199254740993');
  });

  it('with its own version and betas, or the version that all know', () => {
    const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a-1,b-2' };
    expect(passThrough.headers?.(accepted({}, headers), {})).toEqual([
      'anthropic-version',
      '2026-10-21',
      'anthropic-beta',
      'a-1,b-2',
    ]);
    expect(passThrough.headers?.(accepted({}, { 'anthropic-beta': 'ü\u2028' }), {})).toEqual([
      'anthropic-version',
      '2023-06-01',
    ]);
  });

  it('without thinking that Anthropic would refuse, and with its own in place', () => {
    const own = { type: 'thinking', thinking: 'a', signature: 'c2ln' };
    const text = { type: 'text', text: 't' };
    const call = { type: 'tool_use', id: 'c', name: 'f', input: {} };
    const messages = [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'b', signature: '' },
          { type: 'thinking', thinking: 'c', signature: 'weir1.gemini.s.QUJD' },
          own,
          text,
          own,
          call,
        ],
      },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'b', signature: '' }] },
    ];
    expect(encoded({ messages })).toMatchObject({
      messages: [messages[0], { role: 'assistant', content: [own, text, own, call] }],
    });
  });
});
