import { describe, expect, it } from 'vitest';
import type {
  NeutralMessage,
  NeutralRequest,
} from '../../../../../gateway/protocols/neutral-form/request.ts';
import { neutralForm } from '../../../../../gateway/protocols/openai-chat/neutral-form.ts';
import { profileOf } from '../../../../../gateway/providers/profiles/profile-of.ts';
import { fittedBody } from '../../../../support/upstreams/fitted-body.ts';
import { targetOf } from '../../../../support/upstreams/target.ts';
import { refusalOf, written } from './support/neutral-form.ts';

const USER: NeutralMessage = { role: 'user', parts: [{ type: 'text', text: 'U' }] };
const IMAGE = { type: 'image', source: { base64: 'AA==', mediaType: 'image/png' } } as const;
const FROM_RESULT = { type: 'text', text: 'From the result of f (call c1):' };
const IMAGE_SENT = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };

function request(fields: Partial<NeutralRequest> = {}): NeutralRequest {
  return { stream: false, messages: [USER], tools: [], choices: 1, ...fields };
}

function messagesOf(...messages: NeutralMessage[]): unknown {
  const profile = profileOf({
    kind: 'openai',
    baseUrl: 'http://upstream.test',
    upstreamModel: 'upstream',
    upstreamProtocol: 'openai-chat',
    chosen: 'generic',
  });
  return (written(request({ messages }), { profile }) as { messages: unknown }).messages;
}

function call(id: string, name = 'f') {
  return { type: 'tool_call', id, name, input: '{}', freeForm: false } as const;
}

function result(callId: string, text: string, isError = false) {
  return { type: 'tool_result', callId, content: [{ type: 'text', text }], isError } as const;
}

function sent(id: string, name = 'f'): object {
  return { id, type: 'function', function: { name, arguments: '{}' } };
}

describe('the messages for an upstream', () => {
  it('have results behind their calls, in the order of the calls, and images behind those', () => {
    expect(
      messagesOf(
        { role: 'system', parts: [{ type: 'text', text: 'S' }] },
        { role: 'user', parts: [{ type: 'text', text: 'U' }, IMAGE] },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'R', proof: { of: 'anthropic-messages', value: 'SIG' } },
            { type: 'text', text: 'T' },
            { ...call('c1'), input: '{"a":1}' },
            call('c2', 'g'),
          ],
        },
        {
          role: 'tool',
          parts: [
            result('c2', 'no', true),
            {
              type: 'tool_result',
              callId: 'c1',
              content: [{ type: 'text', text: 'ok' }, IMAGE],
              isError: false,
            },
          ],
        },
        { role: 'user', parts: [{ type: 'text', text: 'go on' }] },
      ),
    ).toEqual([
      { role: 'system', content: 'S' },
      { role: 'user', content: [{ type: 'text', text: 'U' }, IMAGE_SENT] },
      {
        role: 'assistant',
        content: 'T',
        reasoning_content: 'R',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
          sent('c2', 'g'),
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
      { role: 'tool', tool_call_id: 'c2', content: 'Error: no' },
      { role: 'user', content: [FROM_RESULT, IMAGE_SENT, { type: 'text', text: 'go on' }] },
    ]);
  });

  it('join what one assistant said in several messages, with its parallel calls', () => {
    expect(
      messagesOf(
        USER,
        { role: 'assistant', parts: [call('c1')] },
        { role: 'assistant', parts: [call('c2')] },
        { role: 'assistant', parts: [{ type: 'text', text: 'T' }] },
        { role: 'tool', parts: [result('c1', 'one')] },
        { role: 'tool', parts: [result('c2', 'two')] },
      ),
    ).toEqual([
      { role: 'user', content: 'U' },
      { role: 'assistant', content: 'T', tool_calls: [sent('c1'), sent('c2')] },
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: 'two' },
    ]);
  });

  it('answer a call that was interrupted, and keep a result without a call as text', () => {
    expect(
      messagesOf(
        USER,
        { role: 'assistant', parts: [call('c1')] },
        { role: 'tool', parts: [result('lost', 'kept')] },
      ),
    ).toEqual([
      { role: 'user', content: 'U' },
      { role: 'assistant', content: null, tool_calls: [sent('c1')] },
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: 'Error: The call was interrupted and has no result.',
      },
      { role: 'user', content: 'Result of a tool call that is not shown here:\nkept' },
    ]);
  });

  it('give the second call of an id the second result', () => {
    expect(
      messagesOf(
        USER,
        { role: 'assistant', parts: [call('same')] },
        { role: 'tool', parts: [result('same', 'one')] },
        { role: 'assistant', parts: [call('same')] },
        { role: 'tool', parts: [result('same', 'two')] },
      ),
    ).toMatchObject([{}, {}, { content: 'one' }, {}, { content: 'two' }]);
  });

  it('show a result that is an image alone', () => {
    expect(
      messagesOf(
        USER,
        { role: 'assistant', parts: [call('c1')] },
        {
          role: 'tool',
          parts: [{ type: 'tool_result', callId: 'c1', content: [IMAGE], isError: false }],
        },
        { role: 'assistant', parts: [{ type: 'text', text: 'T' }] },
      ),
    ).toEqual([
      { role: 'user', content: 'U' },
      { role: 'assistant', content: null, tool_calls: [sent('c1')] },
      { role: 'tool', tool_call_id: 'c1', content: 'The result is in the next message.' },
      { role: 'user', content: [FROM_RESULT, IMAGE_SENT] },
      { role: 'assistant', content: 'T' },
    ]);
  });

  it('leave empty text out, and messages with nothing else', () => {
    expect(
      messagesOf(
        { role: 'system', parts: [{ type: 'text', text: '' }] },
        { role: 'user', parts: [{ type: 'text', text: '' }, IMAGE] },
        { role: 'assistant', parts: [{ type: 'text', text: '' }] },
      ),
    ).toEqual([{ role: 'user', content: [IMAGE_SENT] }]);
  });

  it('have files as data, and texts that were files as text', () => {
    const source = { base64: 'AA==', mediaType: 'application/pdf' };
    expect(
      messagesOf({
        role: 'user',
        parts: [
          { type: 'file', source, name: 'a.pdf' },
          { type: 'file', source: { text: 'words' }, name: 'a.txt' },
          { type: 'audio', base64: 'AA==', format: 'mp3' },
        ],
      }),
    ).toEqual([
      {
        role: 'user',
        content: [
          {
            type: 'file',
            file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
          },
          { type: 'text', text: 'a.txt\nwords' },
          { type: 'input_audio', input_audio: { data: 'AA==', format: 'mp3' } },
        ],
      },
    ]);
  });

  it('bring an upstream’s own proofs back to it, and no others', () => {
    const details = [{ type: 'reasoning.text', text: 'R', signature: 'S' }];
    const own = { of: 'openai-chat', value: JSON.stringify(details) } as const;
    expect(
      messagesOf({
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'R', proof: own },
          { ...call('c1'), proof: { of: 'openai-chat', value: 'sig' } },
          { ...call('c2'), proof: { of: 'gemini', value: 'sig' } },
        ],
      }),
    ).toMatchObject([
      {
        reasoning_content: 'R',
        reasoning_details: details,
        tool_calls: [
          { ...sent('c1'), extra_content: { google: { thought_signature: 'sig' } } },
          sent('c2'),
        ],
      },
      {},
      {},
    ]);
  });

  it('mark what is worth caching where the model knows the mark, four times at most', () => {
    const parts = [1, 2, 3, 4, 5].map((text) => ({
      type: 'text' as const,
      text: String(text),
      cache: { ttl: '5m' as const },
    }));
    const messages = [{ role: 'user' as const, parts }];
    const body = written(request({ messages }), { upstreamModel: 'openai/gpt-5.6' });
    expect(JSON.stringify(body).split('prompt_cache_breakpoint').length - 1).toBe(4);
    expect(JSON.stringify(written(request({ messages })))).not.toContain('cache');
  });
});

describe('the fields for an upstream', () => {
  it('are those that were sent, and usage is asked for on streams', () => {
    expect(written(request())).toEqual({
      model: 'upstream',
      messages: [{ role: 'user', content: 'U' }],
    });
    expect(written(request({ stream: true }))).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
    const omittedFields = ['stream_options'];
    expect(written(request({ stream: true }), { omittedFields })).not.toHaveProperty(
      'stream_options',
    );
  });

  it('have the output limit under the name that the upstream takes', () => {
    const limited = request({ maxOutputTokens: 9 });
    expect(written(limited)).toMatchObject({ max_tokens: 9 });
    expect(written(limited, { upstreamModel: 'gpt-5.5' })).toMatchObject({
      max_completion_tokens: 9,
    });
    expect(
      written(limited, { outputLimitField: 'max_completion_tokens', outputTokensCap: 5 }),
    ).toMatchObject({ max_completion_tokens: 5 });
  });

  it('have tools, and what is said of tools only with them', () => {
    const choice = { toolChoice: { mode: 'required' }, parallelToolCalls: false } as const;
    expect(written(request(choice))).not.toHaveProperty('tool_choice');
    expect(written(request(choice))).not.toHaveProperty('parallel_tool_calls');
    const grammar = { syntax: 'lark', definition: 'x' };
    const tools = [
      { name: 'f', description: 'F', schema: { type: 'object' }, strict: true },
      { name: 'g', schema: null, grammar },
    ];
    const openai = { upstreamModel: 'gpt-5.5' };
    expect(written(request({ ...choice, tools }), openai)).toMatchObject({
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'F', parameters: { type: 'object' }, strict: true },
        },
        { type: 'custom', custom: { name: 'g', format: { type: 'grammar', grammar } } },
      ],
      tool_choice: 'required',
      parallel_tool_calls: false,
    });
    expect(
      written(request({ tools, toolChoice: { mode: 'tool', name: 'g' } }), openai),
    ).toMatchObject({
      tool_choice: { type: 'custom', custom: { name: 'g' } },
    });
  });

  it('have free-form tools as functions of one text where only OpenAI has them', () => {
    const grammar = { syntax: 'lark', definition: 'start: "x"' };
    const tools = [{ name: 'g', description: 'G', schema: null, grammar }];
    const parts = [{ ...call('c1', 'g'), input: 'say "x"', freeForm: true }];
    const messages: NeutralMessage[] = [USER, { role: 'assistant', parts }];
    const toolChoice = { mode: 'tool', name: 'g' } as const;
    expect(written(request({ messages, tools, toolChoice }))).toMatchObject({
      messages: [
        {},
        {
          tool_calls: [
            { type: 'function', function: { name: 'g', arguments: '{"input":"say \\"x\\""}' } },
          ],
        },
        { role: 'tool' },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'g',
            description: 'G\n\n"input" follows this grammar (lark):\nstart: "x"',
            parameters: { properties: { input: { type: 'string' } } },
          },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'g' } },
    });
  });

  it('allow some of the tools: by name at OpenAI, by leaving the others out elsewhere', () => {
    const tools = ['f', 'g'].map((name) => ({ name, schema: {} }));
    const some = request({ tools, toolChoice: { mode: 'auto', among: ['g'] } });
    expect(written(some, { upstreamModel: 'gpt-5.5' })).toMatchObject({
      tools: [{}, {}],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'g' } }] },
      },
    });
    expect(written(some)).toMatchObject({
      tools: [{ function: { name: 'g' } }],
      tool_choice: 'auto',
    });
  });

  it('have the reply’s form', () => {
    const schema = { type: 'object' };
    const format = { type: 'json_schema', schema, strict: true } as const;
    expect(written(request({ format }))).toMatchObject({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'reply', schema, strict: true },
      },
    });
    expect(written(request({ format: { type: 'json' } }))).toMatchObject({
      response_format: { type: 'json_object' },
    });
  });

  it.each([
    // Chat completions take `max` of no model.
    ['gpt-6.1-sol', 'max', 'xhigh'],
    ['gpt-5.5', 'none', 'none'],
    ['gpt-5', 'none', 'minimal'],
    ['o3', 'minimal', 'low'],
    ['gpt-4.1', 'high', undefined],
    ['deepseek/deepseek-chat', 'xhigh', 'high'],
    ['deepseek-chat', 'none', undefined],
  ] as const)('ask %s for effort %s as %s', (upstreamModel, effort, sentEffort) => {
    const body = written(request({ effort }), { upstreamModel });
    expect((body as Record<string, unknown>)['reasoning_effort']).toBe(sentEffort);
  });

  it('turn a budget of thinking into an effort', () => {
    expect(written(request({ reasoningTokensMax: 8_192 }))).toMatchObject({
      reasoning_effort: 'medium',
    });
  });

  it('have ids of a length that OpenAI takes', () => {
    const body = written(request({ userId: 'u'.repeat(200), cacheKey: 'short' }));
    expect(body).toMatchObject({ prompt_cache_key: 'short' });
    expect((body as { user: string }).user).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    [{ choices: 2 }, 'n'],
    [{ logprobs: 0 }, 'logprobs'],
    [
      {
        messages: [
          {
            role: 'user' as const,
            parts: [{ type: 'file' as const, source: { url: 'https://example.com/a.pdf' } }],
          },
        ],
      },
      'messages',
    ],
  ])('are refused when the reply could not be brought back: %j', (fields, param) => {
    expect(refusalOf(fittedBody(neutralForm, request(fields), targetOf())).param).toBe(param);
  });
});
