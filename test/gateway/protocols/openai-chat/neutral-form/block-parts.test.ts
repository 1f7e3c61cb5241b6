import { describe, expect, it } from 'vitest';
import { neutralForm as claude } from '../../../../../gateway/protocols/anthropic-messages/neutral-form.ts';
import { fittedBody } from '../../../../support/upstreams/fitted-body.ts';
import { targetOf } from '../../../../support/upstreams/target.ts';
import { neutral, USER } from './support/neutral-form.ts';

const MARK = { cache_control: { type: 'ephemeral' } };

function sentToClaude(fields: object): string {
  const target = targetOf({ upstreamModel: 'claude-sonnet-5' }, 'anthropic-messages');
  return JSON.stringify(fittedBody(claude, neutral(fields), target));
}

describe('a chat request of Cursor', () => {
  it('has its tool_use and tool_result parts read as calls and their results', () => {
    const { messages } = neutral({
      messages: [
        USER,
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'T' },
            { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
            { type: 'tool_use', id: 'c2', name: 'g', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'ok' }] },
            { type: 'tool_result', tool_use_id: 'c2', content: 'no', is_error: true },
            { type: 'text', text: 'go on' },
          ],
        },
      ],
    });
    expect(messages.slice(1)).toMatchObject([
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'T' },
          { type: 'tool_call', id: 'c1', name: 'f', input: '{"a":1}' },
          { type: 'tool_call', id: 'c2', name: 'g', input: '{}' },
        ],
      },
      {
        role: 'tool',
        parts: [
          { callId: 'c1', content: [{ text: 'ok' }], isError: false },
          { callId: 'c2', content: [{ text: 'no' }], isError: true },
        ],
      },
      { role: 'user', parts: [{ text: 'go on' }] },
    ]);
  });

  it('has a call once that it sends in both forms', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const block = { type: 'tool_use', id: 'c1', name: 'f', input: {} };
    const message = { role: 'assistant', content: [block], tool_calls: [call] };
    const { messages } = neutral({ messages: [USER, message] });
    expect(messages[1]?.parts).toHaveLength(1);
  });

  it('has a flat function tool read as its nested twin', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' } } };
    const called = { name: 'f', description: 'D', parameters };
    const flat = neutral({ tools: [{ type: 'function', ...called }] });
    expect(flat.tools).toEqual(neutral({ tools: [{ type: 'function', function: called }] }).tools);
    expect(flat.tools).toMatchObject([{ name: 'f', description: 'D', schema: parameters }]);
  });
});

describe('a cache mark of a chat request reaches Claude', () => {
  it.each([
    ['on a system message', { messages: [{ role: 'system', content: 'S', ...MARK }, USER] }],
    ['on a user message', { messages: [{ ...USER, ...MARK }] }],
    [
      'on a part',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'U', ...MARK }] }] },
    ],
    [
      'on a tool message',
      {
        messages: [
          USER,
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c', content: 'R', ...MARK },
        ],
      },
    ],
    ['on a tool', { tools: [{ type: 'function', function: { name: 'f' }, ...MARK }] }],
    ['on its function', { tools: [{ type: 'function', function: { name: 'f', ...MARK } }] }],
  ])('%s', (_where, fields) => {
    expect(sentToClaude(fields).split('"cache_control"')).toHaveLength(2);
  });
});
