import { describe, expect, it } from 'vitest';
import { neutralForm } from '../../../../../gateway/protocols/anthropic-messages/neutral-form.ts';
import type {
  NeutralMessage,
  NeutralTool,
} from '../../../../../gateway/protocols/neutral-form/request.ts';
import { messagesTarget } from '../../../../support/clients/messages-request.ts';
import { fittedBody } from '../../../../support/upstreams/fitted-body.ts';
import { asked, written } from './support/neutral-form.ts';

const text = (value: string) => ({ type: 'text' as const, text: value });
const user = (value: string): NeutralMessage => ({ role: 'user', parts: [text(value)] });
const call = (id: string, input = '{}') => ({
  type: 'tool_call' as const,
  id,
  name: 'f',
  input,
  freeForm: false,
});
const result = (callId: string, value = callId) => ({
  type: 'tool_result' as const,
  callId,
  content: [text(value)],
  isError: false,
});
const SYSTEM: NeutralMessage = { role: 'system', parts: [text('S')] };
const TOOL: NeutralTool = { name: 'f', schema: { type: 'object' } };

function messagesOf(messages: readonly NeutralMessage[], upstreamModel?: string): unknown {
  const target = upstreamModel === undefined ? {} : { upstreamModel };
  return written(asked({ messages }), target)['messages'];
}

describe('a conversation for Anthropic', () => {
  it('has its first system messages apart, and later ones in place', () => {
    const messages = [SYSTEM, user('U'), SYSTEM];
    expect(written(asked({ messages }))).toMatchObject({
      system: [text('S')],
      messages: [
        { role: 'user', content: [text('U')] },
        { role: 'system', content: [text('S')] },
      ],
    });
    expect(messagesOf(messages, 'claude-sonnet-4-5')).toEqual([
      {
        role: 'user',
        content: [text('U'), text('<system-reminder>\nS\n</system-reminder>')],
      },
    ]);
  });

  it('asks something even where there are instructions alone', () => {
    expect(messagesOf([SYSTEM])).toEqual([{ role: 'user', content: [text('S')] }]);
  });

  it('has the results of parallel calls first in one turn, whatever their order', () => {
    const messages: NeutralMessage[] = [
      user('U'),
      { role: 'assistant', parts: [text('T'), call('c1', '{"a":1}'), call('c2', '')] },
      { role: 'tool', parts: [{ ...result('c2', 'no'), isError: true }, result('c1', 'ok')] },
      user('go on'),
    ];
    expect(messagesOf(messages)).toEqual([
      { role: 'user', content: [text('U')] },
      {
        role: 'assistant',
        content: [
          text('T'),
          { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
          { type: 'tool_use', id: 'c2', name: 'f', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: [text('ok')] },
          { type: 'tool_result', tool_use_id: 'c2', content: [text('no')], is_error: true },
          text('go on'),
        ],
      },
    ]);
  });

  it('has a result for a call that was interrupted', () => {
    const messages = [user('U'), { role: 'assistant' as const, parts: [call('c1')] }, user('stop')];
    expect(messagesOf(messages)).toMatchObject([
      {},
      {},
      { content: [{ type: 'tool_result', tool_use_id: 'c1', is_error: true }, text('stop')] },
    ]);
  });

  it('finds a result that came late, behind an assistant’s or user’s message', () => {
    const messages: NeutralMessage[] = [
      user('U'),
      { role: 'assistant', parts: [call('c1')] },
      { role: 'assistant', parts: [call('c2')] },
      user('and'),
      { role: 'tool', parts: [result('c1'), result('c2')] },
    ];
    expect(messagesOf(messages)).toMatchObject([
      {},
      { role: 'assistant', content: [{ id: 'c1' }, { id: 'c2' }] },
      {
        role: 'user',
        content: [{ tool_use_id: 'c1' }, { tool_use_id: 'c2' }, text('and')],
      },
    ]);
  });

  it('shows the result of a call that is not known as text', () => {
    const messages: NeutralMessage[] = [user('U'), { role: 'tool', parts: [result('x', 'found')] }];
    expect(JSON.stringify(messagesOf(messages))).toContain('found');
    expect(JSON.stringify(messagesOf(messages))).not.toContain('tool_result');
  });

  it('has no empty texts, and no turn of nothing but thinking', () => {
    const messages: NeutralMessage[] = [
      { role: 'user', parts: [text(' '), text('U')] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'R', proof: { of: 'anthropic-messages', value: 'c2ln' } },
        ],
      },
      user('V'),
    ];
    expect(messagesOf(messages)).toEqual([{ role: 'user', content: [text('U'), text('V')] }]);
  });

  it('has Anthropic’s own thinking in place, and nobody else’s', () => {
    const own = { of: 'anthropic-messages' as const, value: 'c2ln' };
    const parts = [
      { type: 'reasoning' as const, text: 'A', proof: own },
      text('T'),
      { type: 'reasoning' as const, text: 'G', proof: { of: 'gemini' as const, value: 'Zw' } },
      { type: 'reasoning' as const, text: 'O' },
      { type: 'reasoning' as const, text: '', proof: { ...own, redacted: true } },
      call('c1'),
    ];
    expect(messagesOf([user('U'), { role: 'assistant', parts }])).toMatchObject([
      {},
      {
        content: [
          { type: 'thinking', thinking: 'A', signature: 'c2ln' },
          text('T'),
          { type: 'redacted_thinking', data: 'c2ln' },
          { type: 'tool_use' },
        ],
      },
      {},
    ]);
  });

  it('shows images, in results too, and PDFs', () => {
    const png = { base64: 'AA==', mediaType: 'image/png' };
    const parts = [
      { type: 'image' as const, source: png },
      { type: 'image' as const, source: { url: 'https://x/a.png' } },
      {
        type: 'file' as const,
        source: { base64: 'AA==', mediaType: 'application/pdf' },
        name: 'a.pdf',
      },
      { type: 'file' as const, source: { text: 'long' } },
    ];
    const source = { type: 'base64', media_type: 'image/png', data: 'AA==' };
    const shown: NeutralMessage[] = [
      { role: 'user', parts },
      { role: 'assistant', parts: [call('c1')] },
      { role: 'tool', parts: [{ ...result('c1'), content: [{ type: 'image', source: png }] }] },
    ];
    expect(messagesOf(shown)).toMatchObject([
      {
        content: [
          { type: 'image', source },
          { type: 'image', source: { type: 'url', url: 'https://x/a.png' } },
          { type: 'document', source: { media_type: 'application/pdf' }, title: 'a.pdf' },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'long' } },
        ],
      },
      {},
      { content: [{ type: 'tool_result', content: [{ type: 'image', source }] }] },
    ]);
  });

  it('has ids that Anthropic takes, and input that is an object', () => {
    const messages: NeutralMessage[] = [
      {
        role: 'assistant',
        parts: [call('a.b:c', 'no json'), { ...call('c2', 'go'), freeForm: true }],
      },
      { role: 'tool', parts: [result('a.b:c'), result('c2')] },
    ];
    const [, turn, results] = messagesOf(messages) as { content: Record<string, unknown>[] }[];
    const id = turn?.content[0]?.['id'];
    expect(id).toMatch(/^[\w-]+$/);
    expect(results?.content[0]?.['tool_use_id']).toBe(id);
    expect(turn?.content).toMatchObject([
      { input: { _raw: 'no json' } },
      { input: { input: 'go' } },
    ]);
  });

  it('keeps four cache marks at most, the last ones, for five minutes', () => {
    const marked = Array.from({ length: 6 }, (_, index) => ({
      ...text(String(index)),
      cache: { ttl: '1h' as const },
    }));
    const [turn] = messagesOf([{ role: 'user', parts: marked }]) as { content: object[] }[];
    const marks = turn?.content.map((block) => 'cache_control' in block);
    expect(marks).toEqual([false, false, true, true, true, true]);
    expect(JSON.stringify(turn)).not.toContain('1h');
  });

  it('is cached as a whole for a client that names its cache and marks nothing', () => {
    expect(written(asked({ cacheKey: 'k' }))).toMatchObject({
      cache_control: { type: 'ephemeral' },
    });
    expect(written(asked())).not.toHaveProperty('cache_control');
  });
});

describe('what is asked of Anthropic', () => {
  it('has a limit: the client’s, what can be paid for, or the model’s own', () => {
    expect(written(asked({ maxOutputTokens: 9 }))).toMatchObject({ max_tokens: 9 });
    expect(written(asked({ maxOutputTokens: 9 }), { outputTokensCap: 5 })).toMatchObject({
      max_tokens: 5,
    });
    expect(written(asked())).toMatchObject({ max_tokens: 4_096 });
  });

  it('has tools in their order, with parallel calls forbidden where they were', () => {
    const tools = ['b', 'a', 'c'].map((name) => ({ ...TOOL, name }));
    const body = written(asked({ tools, parallelToolCalls: false }));
    expect(body['tools']).toMatchObject([{ name: 'b' }, { name: 'a' }, { name: 'c' }]);
    expect(body['tool_choice']).toEqual({ type: 'auto', disable_parallel_tool_use: true });
    const among = written(asked({ tools, toolChoice: { mode: 'required', among: ['a'] } }));
    expect(among).toMatchObject({ tools: [{ name: 'a' }], tool_choice: { type: 'any' } });
  });

  it('asks models that always think for a call in words, and others by the field', () => {
    const request = asked({ tools: [TOOL], toolChoice: { mode: 'tool', name: 'f' } });
    expect(written(request)['tool_choice']).toEqual({ type: 'tool', name: 'f' });
    const thinking = written(request, { upstreamModel: 'claude-opus-5-5' });
    expect(thinking['tool_choice']).toEqual({ type: 'auto' });
    expect(JSON.stringify(thinking['system'])).toContain('\\"f\\"');
  });

  it.each([
    [
      'claude-sonnet-5',
      'high',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ],
    ['claude-sonnet-5', 'minimal', { output_config: { effort: 'low' } }],
    ['claude-sonnet-5', 'none', { thinking: { type: 'disabled' } }],
    ['claude-opus-5-5', 'none', { output_config: { effort: 'low' } }],
    [
      'claude-sonnet-4-5-20250929',
      'medium',
      { thinking: { type: 'enabled', budget_tokens: 8_192 } },
    ],
  ] as const)('lets %s think with effort %s', (upstreamModel, effort, expected) => {
    const request = asked({ effort, maxOutputTokens: 32_000, temperature: 0.5 });
    const body = written(request, { upstreamModel });
    expect(body).toMatchObject(expected);
    expect(body).not.toHaveProperty('temperature');
  });

  it('raises a budget of thinking that is too small, and drops it where there is no room', () => {
    const old = { upstreamModel: 'claude-sonnet-4-5' };
    const small = asked({ reasoningTokensMax: 100, maxOutputTokens: 9_000 });
    expect(written(small, old)).toMatchObject({ thinking: { budget_tokens: 1_024 } });
    const cramped = asked({ reasoningTokensMax: 2_000, maxOutputTokens: 500 });
    expect(written(cramped, old)).not.toHaveProperty('thinking');
    const foreign = asked({
      effort: 'high',
      maxOutputTokens: 64_000,
      messages: [
        user('U'),
        { role: 'assistant', parts: [call('c')] },
        { role: 'tool', parts: [result('c')] },
      ],
    });
    expect(written(foreign, old)).not.toHaveProperty('thinking');
  });

  it('has samplings that the model takes', () => {
    const request = asked({ temperature: 1.5, topP: 0.5, topK: 3 });
    const old = written(request, { upstreamModel: 'claude-opus-4-5' });
    expect(old).toMatchObject({ temperature: 1, top_k: 3 });
    expect(old).not.toHaveProperty('top_p');
    expect(written(request)).not.toHaveProperty('temperature');
  });

  it('has formats, stops and the user', () => {
    const body = written(
      asked({
        stop: [' ', 'END'],
        userId: 'u',
        format: { type: 'json_schema', schema: { type: 'object' } },
        effort: 'low',
      }),
    );
    expect(body).toMatchObject({
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
      output_config: { effort: 'low', format: { type: 'json_schema', schema: { type: 'object' } } },
    });
    expect(JSON.stringify(written(asked({ format: { type: 'json' } }))['system'])).toContain(
      'JSON',
    );
  });

  it.each([
    ['two replies', { choices: 2 }, 'n'],
    ['log probabilities', { logprobs: 0 }, 'logprobs'],
    [
      'audio',
      {
        messages: [
          {
            role: 'user' as const,
            parts: [{ type: 'audio' as const, base64: 'AA==', format: 'wav' }],
          },
        ],
      },
      'messages',
    ],
    [
      'a film',
      {
        messages: [
          {
            role: 'user' as const,
            parts: [{ type: 'file' as const, source: { base64: 'AA==', mediaType: 'video/mp4' } }],
          },
        ],
      },
      'messages',
    ],
  ])('refuses %s', (_name, fields, param) => {
    expect(fittedBody(neutralForm, asked(fields), messagesTarget())).toMatchObject({ param });
  });
});
