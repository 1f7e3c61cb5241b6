/**
 * Cases that users of other gateways have lost between Messages and chat completions; the numbers
 * are of their issues.
 */
import { describe, expect, it } from 'vitest';
import { neutralForm } from '../../../../../gateway/protocols/anthropic-messages/neutral-form.ts';
import { neutralForm as chat } from '../../../../../gateway/protocols/openai-chat/neutral-form.ts';
import { parseRequest } from '../../../../../gateway/protocols/openai-chat/from-client/parse-request.ts';
import { REQUEST_LIMITS } from '../../../../../gateway/protocols/protocol.ts';
import { CHAT_HEAD } from '../../../../support/clients/chat-head.ts';
import { accepted } from '../../../../support/clients/messages-request.ts';
import { readMessageStrictly } from '../../../../support/clients/messages-wire.ts';
import { fittedBody } from '../../../../support/upstreams/fitted-body.ts';
import { targetOf } from '../../../../support/upstreams/target.ts';
import { found, neutral, written } from './support/neutral-form.ts';

const USER = { role: 'user', content: 'U' };
const PNG = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(500_000) };

function toChat(fields: object): { messages: Record<string, unknown>[]; tools?: unknown[] } {
  const target = targetOf({ upstreamModel: 'gpt-5.5' });
  const body = fittedBody(chat, neutral(fields), target);
  return JSON.parse(JSON.stringify(found(body))) as ReturnType<typeof toChat>;
}

function toAnthropic(fields: object): Record<string, unknown> {
  const body = Buffer.from(JSON.stringify({ model: 'm', messages: [USER], ...fields }));
  return written(found(chat.readRequest(found(parseRequest(body, CHAT_HEAD, REQUEST_LIMITS)))));
}

function called(...results: readonly object[]): object {
  return {
    messages: [
      USER,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'f', input: {} }] },
      { role: 'user', content: results },
    ],
  };
}

describe('nobody loses', () => {
  it('615,000 tokens to a screenshot that a tool returned (new-api 7407)', () => {
    const shot = {
      type: 'tool_result',
      tool_use_id: 'c1',
      content: [{ type: 'image', source: PNG }],
    };
    const { messages } = toChat(called(shot));
    expect(messages[2]).toMatchObject({ role: 'tool', tool_call_id: 'c1' });
    expect(String(messages[2]?.['content']).length).toBeLessThan(100);
    expect(messages[3]).toMatchObject({
      role: 'user',
      content: [{ type: 'text' }, { type: 'image_url' }],
    });
  });

  it('the session to words behind a call (free-claude-code 206)', () => {
    const content = [
      { type: 'tool_use', id: 'c1', name: 'f', input: {} },
      { type: 'text', text: 'T' },
    ];
    const { messages } = toChat({ messages: [USER, { role: 'assistant', content }] });
    expect(messages[1]).toMatchObject({ content: 'T', tool_calls: [{ id: 'c1' }] });
  });

  it('the image in a result of chat completions (new-api 6260)', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }];
    const body = toAnthropic({
      messages: [
        USER,
        { role: 'assistant', tool_calls },
        { role: 'tool', tool_call_id: 'c1', content: [image] },
      ],
    });
    expect(JSON.stringify(body['messages'])).toContain('"media_type":"image/png","data":"AA=="');
  });

  it('what a tool has loaded, nor is shown what it has not (Claude Code’s deferred tools)', () => {
    const tools = [
      { name: 'f', input_schema: { type: 'object' } },
      { name: 'hidden', input_schema: {}, defer_loading: true },
      { name: 'loaded', input_schema: {}, defer_loading: true },
    ];
    const reference = { type: 'tool_reference', tool_name: 'loaded' };
    const result = { type: 'tool_result', tool_use_id: 'c1', content: [reference] };
    const { messages, tools: shown } = toChat({ ...called(result), tools });
    expect(shown).toMatchObject([{ function: { name: 'f' } }, { function: { name: 'loaded' } }]);
    expect(messages[2]).toMatchObject({ content: 'Tool loaded: loaded' });
  });

  it('the results of calls to an interrupt (sub2api 2259)', () => {
    const { messages } = toChat(called({ type: 'text', text: 'stop' }));
    expect(messages[2]).toMatchObject({ role: 'tool', tool_call_id: 'c1' });
    expect(messages[3]).toMatchObject({ role: 'user', content: 'stop' });
  });

  it('the order 2, 1 of results, which chat completions want as 1, 2', () => {
    const call = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });
    const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: id });
    const { messages } = toChat({
      messages: [
        USER,
        { role: 'assistant', content: [call('c1'), call('c2')] },
        { role: 'user', content: [result('c2'), result('c1'), { type: 'text', text: 'go on' }] },
      ],
    });
    expect(messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'c1' },
      { role: 'tool', tool_call_id: 'c2', content: 'c2' },
      { role: 'user', content: 'go on' },
    ]);
  });

  it('the system message in the middle of a conversation', () => {
    const { messages } = toChat({
      system: [
        { type: 'text', text: 'x-anthropic-billing-header: cc_version=1.a;' },
        { type: 'text', text: 'S' },
      ],
      messages: [USER, { role: 'system', content: 'later' }],
    });
    expect(messages).toEqual([
      { role: 'system', content: 'S' },
      { role: 'user', content: 'U' },
      { role: 'system', content: 'later' },
    ]);
  });

  it('the request to fields of Anthropic’s alone (litellm 26240)', () => {
    const fields = {
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      output_config: { effort: 'high' },
      thinking: { type: 'adaptive', display: 'omitted' },
      metadata: { user_id: 'u' },
    };
    const body = toChat(fields);
    expect(body).toMatchObject({ reasoning_effort: 'high' });
    expect(body).not.toHaveProperty('context_management');
  });

  it('hours to safeguards, which Claude Code leaves out when it is told their name', () => {
    const refusal = neutralForm.readRequest(accepted({ safeguards: [{ type: 'x' }] }));
    expect(refusal).toMatchObject({ refused: 'invalid_value', param: 'safeguards' });
  });

  it('the limit and the ban on parallel calls (bifrost 6132, 7348)', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const body = toAnthropic({ max_completion_tokens: 77, tools, parallel_tool_calls: false });
    expect(body).toMatchObject({
      max_tokens: 77,
      tool_choice: { disable_parallel_tool_use: true },
    });
  });

  it('a call to another one with the same index (ccNexus 89)', () => {
    const reader = chat.readStream(() => undefined);
    const writer = neutralForm.writeStream(accepted());
    const chunk = (delta: object, reason: string | null = null): string => {
      const data = { id: 'x', choices: [{ index: 0, delta, finish_reason: reason }] };
      const events = reader.read('', Buffer.from(JSON.stringify(data)));
      return events.map((event) => writer.write(event)).join('');
    };
    const call = (id: string) => ({
      tool_calls: [{ index: 0, id, type: 'function', function: { name: id, arguments: '{}' } }],
    });
    const sent = [chunk(call('c1')), chunk(call('c2')), chunk({}, 'tool_calls')].join('');
    const { blocks } = readMessageStrictly(sent + writer.endMarker(null));
    expect(blocks.map(({ name }) => name)).toEqual(['c1', 'c2']);
  });

  it('the thinking of DeepSeek and others (bifrost 5887, litellm 32357)', () => {
    const reader = chat.readStream(() => undefined);
    const writer = neutralForm.writeStream(accepted());
    const deltas = [
      { role: 'assistant', content: '' },
      { reasoning_content: 'Hm' },
      { reasoning_content: '.' },
      { content: 'T' },
    ];
    const sent = deltas
      .flatMap((delta) =>
        reader.read('', Buffer.from(JSON.stringify({ choices: [{ index: 0, delta }] }))),
      )
      .map((event) => writer.write(event))
      .join('');
    const { blocks } = readMessageStrictly(sent + writer.endMarker(null));
    expect(blocks).toMatchObject([
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'T' },
    ]);
  });

  it('the thinking that a chat client keeps for Anthropic', () => {
    const details = [
      { type: 'reasoning.text', text: 'R', signature: 'weir1.anthropic-messages.s.c2ln' },
    ];
    const body = toAnthropic({
      messages: [USER, { role: 'assistant', content: 'T', reasoning_details: details }, USER],
    });
    expect(JSON.stringify(body['messages'])).toContain(
      '{"type":"thinking","thinking":"R","signature":"c2ln"}',
    );
  });
});
