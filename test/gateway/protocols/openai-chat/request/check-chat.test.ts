import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../../gateway/platform/errors/refusal.ts';
import { checkChat } from '../../../../../gateway/protocols/openai-chat/from-client/check-chat.ts';
import { REQUEST_LIMITS } from '../../../../../gateway/protocols/protocol.ts';

const MINIMAL = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

function check(body: Record<string, unknown>): ReturnType<typeof checkChat> {
  return checkChat(body, Object.keys(body), REQUEST_LIMITS);
}

function message(fields: Record<string, unknown>): Record<string, unknown> {
  return { ...MINIMAL, messages: [{ role: 'user', content: 'hi' }, fields] };
}

const CALL = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };

describe('checkChat accepts', () => {
  it.each([
    ['the least there can be', MINIMAL],
    ['a developer', message({ role: 'developer', content: 'x' })],
    [
      'null content alongside tool calls',
      message({ role: 'assistant', content: null, tool_calls: [CALL] }),
    ],
    ['no content alongside tool calls', message({ role: 'assistant', tool_calls: [CALL] })],
    [
      'empty content alongside tool calls',
      message({ role: 'assistant', content: '', tool_calls: [CALL] }),
    ],
    [
      'no parts alongside tool calls',
      message({ role: 'assistant', content: [], tool_calls: [CALL] }),
    ],
    ['null tool calls', message({ role: 'assistant', content: 'x', tool_calls: null })],
    [
      'a refusal part',
      message({ role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }),
    ],
    [
      'tool content as parts',
      message({ role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'x' }] }),
    ],
    ['a function without content', message({ role: 'function', name: 'f', content: null })],
    ['an empty string', message({ role: 'user', content: '' })],
    ['empty tools', { ...MINIMAL, tools: [] }],
    [
      'tools that the client runs, old and new',
      {
        ...MINIMAL,
        tools: [
          { type: 'function', function: { name: 'f' }, cache_control: {} },
          { type: 'custom', custom: { name: 'f' } },
          { function: { name: 'f' } },
          { type: null, function: { name: 'f' } },
        ],
        functions: [{ name: 'f' }],
      },
    ],
    [
      'null everywhere',
      {
        ...MINIMAL,
        stop: null,
        n: null,
        stream: null,
        tools: null,
        max_tokens: null,
        temperature: null,
        stream_options: null,
      },
    ],
    ['stream options without stream', { ...MINIMAL, stream_options: { include_usage: true } }],
    ['both names of the output limit', { ...MINIMAL, max_tokens: 5, max_completion_tokens: 6 }],
    [
      'whole numbers written as 1.0',
      JSON.parse(
        '{"model":"m","messages":[{"role":"user","content":"x"}],"n":1.0,"max_tokens":16.0}',
      ),
    ],
    [
      'fields nobody knows',
      {
        ...MINIMAL,
        reasoning: { effort: 'low' },
        top_k: 5,
        enable_thinking: true,
        cache_control: {},
        provider: 3,
      },
    ],
    [
      'fields of messages and parts nobody knows',
      message({
        role: 'assistant',
        content: [{ type: 'text', text: 'x', cache_control: {} }],
        reasoning_content: 'x',
      }),
    ],
  ] as [string, Record<string, unknown>][])('%s', (_name, body) => {
    const fields = check(body);
    expect(isRefusal(fields) ? fields.message : 'accepted').toBe('accepted');
  });
});

describe('checkChat reads', () => {
  it('the defaults', () => {
    expect(check(MINIMAL)).toEqual({
      model: 'm',
      stream: false,
      includeUsage: false,
      reportsCost: false,
      maxOutputTokens: null,
      outputLimitFields: [],
      streamOptions: null,
      choices: 1,
      hasTools: false,
      mediaParts: 0,
      hasUnboundedParts: false,
      hasDeveloper: false,
      withheldFields: [],
    });
  });

  it('what it acts on', () => {
    const body = {
      ...message({
        role: 'user',
        content: [
          { type: 'text', text: 'x' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          { type: 'unknown_kind' },
        ],
      }),
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 5,
      max_completion_tokens: 6,
      n: 2,
      tools: [{ type: 'function', function: { name: 'f' } }],
      service_tier: null,
    };
    expect(check(body)).toEqual({
      model: 'm',
      stream: true,
      includeUsage: true,
      reportsCost: false,
      maxOutputTokens: 6,
      outputLimitFields: ['max_completion_tokens', 'max_tokens'],
      streamOptions: { include_usage: true },
      choices: 2,
      hasTools: true,
      mediaParts: 2,
      hasUnboundedParts: true,
      hasDeveloper: false,
      withheldFields: ['service_tier'],
    });
  });

  it('no usage request without a stream', () => {
    expect(check({ ...MINIMAL, stream_options: { include_usage: true } })).toMatchObject({
      includeUsage: false,
      reportsCost: false,
    });
  });

  it('the older output limit when the newer is null', () => {
    expect(check({ ...MINIMAL, max_tokens: 5, max_completion_tokens: null })).toMatchObject({
      maxOutputTokens: 5,
    });
  });
});

describe('checkChat refuses', () => {
  it.each([
    ['missing_required_parameter', 'model', { messages: MINIMAL.messages }],
    ['missing_required_parameter', 'model', { ...MINIMAL, model: null }],
    ['invalid_type', 'model', { ...MINIMAL, model: 4 }],
    ['invalid_value', 'model', { ...MINIMAL, model: '' }],
    ['invalid_value', 'model', { ...MINIMAL, model: 'm'.repeat(129) }],
    ['missing_required_parameter', 'messages', { model: 'm' }],
    ['missing_required_parameter', 'messages', { model: 'm', messages: null }],
    ['invalid_type', 'messages', { model: 'm', messages: 'hi' }],
    ['invalid_value', 'messages', { model: 'm', messages: [] }],
    ['invalid_type', 'messages[0]', { model: 'm', messages: ['hi'] }],
    ['invalid_type', 'messages[0]', { model: 'm', messages: [null] }],
    ['missing_required_parameter', 'messages[1].role', message({ content: 'x' })],
    ['missing_required_parameter', 'messages[1].role', message({ role: null, content: 'x' })],
    ['invalid_type', 'messages[1].role', message({ role: 1, content: 'x' })],
    ['invalid_value', 'messages[1].role', message({ role: 'model', content: 'x' })],
    ['missing_required_parameter', 'messages[1].content', message({ role: 'user' })],
    [
      'missing_required_parameter',
      'messages[1].content',
      message({ role: 'system', content: null }),
    ],
    ['invalid_type', 'messages[1].content', message({ role: 'user', content: 5 })],
    ['invalid_type', 'messages[1].content', message({ role: 'user', content: { type: 'text' } })],
    ['invalid_type', 'messages[1].content[0]', message({ role: 'user', content: ['x'] })],
    [
      'missing_required_parameter',
      'messages[1].content[0].type',
      message({ role: 'user', content: [{ text: 'x' }] }),
    ],
    [
      'invalid_type',
      'messages[1].content[0].type',
      message({ role: 'user', content: [{ type: 1 }] }),
    ],
    [
      'invalid_type',
      'messages[1].content[1].text',
      message({ role: 'user', content: [{ type: 'text', text: 'x' }, { type: 'text' }] }),
    ],
    ['invalid_type', 'messages[1].tool_calls', message({ role: 'assistant', tool_calls: {} })],
    [
      'invalid_type',
      'messages[1].tool_calls[1]',
      message({ role: 'assistant', tool_calls: [CALL, 'x'] }),
    ],
    ['invalid_type', 'stream', { ...MINIMAL, stream: 'true' }],
    ['invalid_type', 'stream', { ...MINIMAL, stream: 1 }],
    ['invalid_type', 'stream_options', { ...MINIMAL, stream_options: true }],
    [
      'invalid_type',
      'stream_options.include_usage',
      { ...MINIMAL, stream_options: { include_usage: 'yes' } },
    ],
    ['invalid_value', 'n', { ...MINIMAL, n: 0 }],
    ['invalid_value', 'n', { ...MINIMAL, n: 129 }],
    ['invalid_value', 'n', { ...MINIMAL, n: 1.5 }],
    ['invalid_type', 'n', { ...MINIMAL, n: '2' }],
    ['invalid_value', 'max_tokens', { ...MINIMAL, max_tokens: 0 }],
    ['invalid_value', 'max_tokens', { ...MINIMAL, max_tokens: -1 }],
    ['invalid_value', 'max_tokens', { ...MINIMAL, max_tokens: 1.5 }],
    ['invalid_value', 'max_tokens', { ...MINIMAL, max_tokens: 1e300 }],
    ['invalid_type', 'max_completion_tokens', { ...MINIMAL, max_completion_tokens: '100' }],
    ['invalid_type', 'temperature', { ...MINIMAL, temperature: '0.7' }],
    ['invalid_type', 'top_p', { ...MINIMAL, top_p: [] }],
    ['invalid_type', 'tools', { ...MINIMAL, tools: {} }],
    ['invalid_type', 'tools[0]', { ...MINIMAL, tools: ['f'] }],
    ['invalid_type', 'functions[0]', { ...MINIMAL, functions: ['f'] }],
    ['invalid_type', 'tools[0].type', { ...MINIMAL, tools: [{ type: 7, function: {} }] }],
    ['missing_required_parameter', 'tools[0].type', { ...MINIMAL, tools: [{ googleSearch: {} }] }],
    [
      'missing_required_parameter',
      'tools[0].type',
      { ...MINIMAL, tools: [{ type: null, function: 'f' }] },
    ],
    ['invalid_type', 'stop', { ...MINIMAL, stop: 4 }],
    ['invalid_type', 'tool_choice', { ...MINIMAL, tool_choice: 4 }],
    ['invalid_type', 'response_format', { ...MINIMAL, response_format: 'json' }],
  ] as [string, string, Record<string, unknown>][])('with %s at %s: %j', (code, param, body) => {
    expect(check(body)).toMatchObject({ refused: code, param, retryAfterMs: null });
  });

  it('by the wrong interface, and names it', () => {
    expect(check({ model: 'm', input: 'hi' })).toMatchObject({
      param: 'messages',
      message: expect.stringContaining('Responses') as string,
    });
    expect(check({ model: 'm', prompt: 'hi' })).toMatchObject({
      message: expect.stringContaining('"prompt"') as string,
    });
    expect(check({ model: 'm', contents: [] })).toMatchObject({
      message: expect.stringContaining('Gemini') as string,
    });
  });

  it('without repeating what was said in a message', () => {
    const refusal = check(message({ role: 'confidential words', content: 'x' }));
    expect(JSON.stringify(refusal)).not.toContain('confidential');
  });
});
