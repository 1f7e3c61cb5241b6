import { describe, expect, it } from 'vitest';
import { translate } from '../../../../gateway/protocols/neutral-form/translations/translate.ts';
import { carryProof } from '../../../../gateway/protocols/neutral-form/proofs/proof.ts';
import { event as chatEvent } from '../../../support/clients/recorded-stream.ts';
import { wire } from '../../../support/clients/messages-wire.ts';
import { parseEvents, responsesEvent, textOf } from '../../../support/clients/responses-events.ts';
import { CHAT, MESSAGES, parsedBy, RESPONSES, sentTo, streamed } from './support.ts';

const USER = { role: 'user', content: 'hi' };

const NAMESPACE = {
  type: 'namespace',
  name: 'mcp__weir',
  tools: [{ type: 'function', name: 'add', parameters: { type: 'object', properties: {} } }],
};
const PATCH = {
  type: 'custom',
  name: 'apply_patch',
  format: { type: 'grammar', syntax: 'lark', definition: 'x' },
};
const SEARCH = {
  type: 'tool_search',
  execution: 'client',
  parameters: { type: 'object', properties: {} },
};
const ASK = { model: 'public', input: 'hi', stream: true, tools: [NAMESPACE, PATCH, SEARCH] };

function chatCall(index: number, id: string, name: string, input: string): string[] {
  const begun = { index, id, type: 'function', function: { name, arguments: '' } };
  return [
    chatEvent({ tool_calls: [begun] }),
    chatEvent({ tool_calls: [{ index, function: { arguments: input } }] }),
  ];
}

function finish(reason: string): string {
  return (
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: {}, finish_reason: reason }] })}\n\n` +
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, prompt_tokens_details: { cached_tokens: 40 } } })}\n\n` +
    'data: [DONE]\n\n'
  );
}

function overChat(packets: readonly string[], body: object = ASK) {
  const { text, stream, before } = streamed({ client: RESPONSES, upstream: CHAT }, body, packets);
  return { events: parseEvents(text), stream, before };
}

describe('a chat stream for a client of Responses', () => {
  it('has the whole sequence, in order, with whole items', () => {
    const { events, before } = overChat([
      chatEvent({ role: 'assistant', reasoning_content: 'hm' }),
      chatEvent({ content: 'Hello' }),
      chatEvent({ content: ' you' }),
      finish('stop'),
    ]);
    expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(before).not.toContain('response.completed');
    expect(events.at(-1)).toMatchObject({
      response: {
        status: 'completed',
        model: 'public',
        output: [
          { type: 'reasoning', summary: [{ text: 'hm' }] },
          { type: 'message', phase: 'final_answer', content: [{ text: 'Hello you' }] },
        ],
        usage: {
          input_tokens: 100,
          input_tokens_details: { cached_tokens: 40 },
          output_tokens: 20,
        },
      },
    });
  });

  it('gives namespace, custom and search tools back as the client knows them', () => {
    const { events } = overChat([
      ...chatCall(0, 'c1', 'mcp__weir__add', '{"a":1}'),
      ...chatCall(1, 'c2', 'apply_patch', '{"input":"*** Begin"}'),
      ...chatCall(2, 'c3', 'tool_search', '{"query":"x"}'),
      finish('tool_calls'),
    ]);
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done.map(({ item }) => item)).toMatchObject([
      {
        type: 'function_call',
        call_id: 'c1',
        name: 'add',
        namespace: 'mcp__weir',
        arguments: '{"a":1}',
        status: 'completed',
      },
      { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: '*** Begin' },
      { type: 'tool_search_call', call_id: 'c3', execution: 'client', arguments: { query: 'x' } },
    ]);
    expect(done.map((event) => event['output_index'])).toEqual([0, 1, 2]);
    expect(JSON.stringify(events)).not.toContain('mcp__weir__add');
  });

  it('says that text before calls is no final answer', () => {
    const { events } = overChat([
      chatEvent({ content: 'I will.' }),
      ...chatCall(0, 'c1', 'f', ''),
      finish('tool_calls'),
    ]);
    const items = events.filter(({ type }) => type === 'response.output_item.done');
    expect(items.map(({ item }) => item)).toMatchObject([
      { phase: 'commentary' },
      { type: 'function_call', name: 'f', arguments: '{}' },
    ]);
  });

  it('keeps the pieces of calls that come interleaved apart', () => {
    const piece = (index: number, text: string) =>
      chatEvent({ tool_calls: [{ index, function: { arguments: text } }] });
    const begin = (index: number) =>
      chatEvent({
        tool_calls: [
          { index, id: `c${index}`, type: 'function', function: { name: 'f', arguments: '' } },
        ],
      });
    const { events } = overChat([
      begin(0),
      begin(1),
      piece(0, '{"a":'),
      piece(1, '{"b":'),
      piece(0, '1}'),
      piece(1, '2}'),
      finish('tool_calls'),
    ]);
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done.map(({ item }) => item)).toMatchObject([
      { call_id: 'c0', arguments: '{"a":1}' },
      { call_id: 'c1', arguments: '{"b":2}' },
    ]);
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('that ends for %s is incomplete', (reason, told) => {
    const { events } = overChat([chatEvent({ content: 'Half' }), finish(reason)]);
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: told } },
    });
  });

  it('that breaks off is no clean end', () => {
    const { stream } = overChat([chatEvent({ content: 'Half' })]);
    expect(stream.finished).toBe(false);
    expect(parseEvents(stream.errorEvent('upstream_error'))[0]).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error' } },
    });
  });
});

const AT = { item_id: 'fc_1', output_index: 1 };
const UPSTREAM_CALL = {
  id: 'fc_1',
  type: 'function_call',
  call_id: 'c1',
  name: 'f',
  arguments: '',
};
const UPSTREAM = [
  responsesEvent('response.created', 0, { response: { id: 'resp_1', output: [] } }),
  responsesEvent('response.output_item.added', 1, {
    output_index: 0,
    item: { id: 'rs_1', type: 'reasoning', summary: [] },
  }),
  responsesEvent('response.reasoning_summary_text.delta', 2, { output_index: 0, delta: 'hm' }),
  responsesEvent('response.output_item.done', 3, {
    output_index: 0,
    item: {
      id: 'rs_1',
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'hm' }],
      encrypted_content: 'ENC',
    },
  }),
  responsesEvent('response.output_item.added', 4, { output_index: 1, item: UPSTREAM_CALL }),
  responsesEvent('response.function_call_arguments.delta', 5, { ...AT, delta: '{"a":1}' }),
  responsesEvent('response.output_item.done', 6, {
    output_index: 1,
    item: { ...UPSTREAM_CALL, arguments: '{"a":1}' },
  }),
];

function ended(type: string, change: object): string {
  const usage = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
  return responsesEvent(`response.${type}`, 9, {
    response: { id: 'resp_1', status: type, output: [], usage, ...change },
  });
}

const CHAT_ASK = {
  model: 'public',
  stream: true,
  messages: [USER],
  stream_options: { include_usage: true },
};

function overResponses(packets: readonly string[]) {
  return streamed({ client: CHAT, upstream: RESPONSES }, CHAT_ASK, packets);
}

describe('a stream of Responses for a client of chat', () => {
  it('is a call with its reasoning, its proof and its usage', () => {
    const { text } = overResponses([...UPSTREAM, ended('completed', {})]);
    expect(text).toContain('"reasoning_content":"hm"');
    expect(text).toContain(carryProof({ of: 'openai-responses', value: 'ENC' }));
    expect(text).toContain('"name":"f"');
    expect(text).toContain('"finish_reason":"tool_calls"');
    expect(text).toContain('"prompt_tokens":100');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
  ])('that is incomplete for %s ends so, even with a pending call', (reason, told) => {
    const { text } = overResponses([
      ...UPSTREAM,
      ended('incomplete', { incomplete_details: { reason } }),
    ]);
    expect(text).toContain(`"finish_reason":"${told}"`);
  });

  it('without response.completed is no clean end', () => {
    const { stream } = overResponses(UPSTREAM);
    expect(stream.finished).toBe(false);
  });

  it('that fails says so', () => {
    const error = { code: 'server_error', message: 'no' };
    const { stream } = overResponses([...UPSTREAM, ended('failed', { error })]);
    expect(stream.failure?.failed).toBe('bad_reply');
  });

  it.each([
    ['once they are done', { arguments: '{"a":1}' }, []],
    ['at the very end', undefined, [{ ...UPSTREAM_CALL, arguments: '{"a":1}' }]],
  ])('has arguments that come %s', (_when, done, output) => {
    const at = { output_index: 0 };
    const { text } = overResponses([
      responsesEvent('response.output_item.added', 1, { ...at, item: UPSTREAM_CALL }),
      responsesEvent('response.function_call_arguments.delta', 2, { ...at, delta: '' }),
      done === undefined
        ? ''
        : responsesEvent('response.function_call_arguments.done', 3, { ...at, ...done }),
      ended('completed', { output }),
    ]);
    expect(text).toContain(String.raw`"arguments":"{\"a\":1}"`);
    expect(text).toContain('"finish_reason":"tool_calls"');
  });

  it('of a server that sends whole items alone loses nothing', () => {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hello' }],
    };
    const whole = responsesEvent('response.output_item.done', 1, {
      output_index: 0,
      item: message,
    });
    expect(overResponses([whole, ended('completed', {})]).text).toContain('"content":"Hello"');
    expect(overResponses([ended('completed', { output: [message] })]).text).toContain(
      '"content":"Hello"',
    );
  });
});

describe('names', () => {
  it('that are too long or clash are told apart and found again', () => {
    const long = 'x'.repeat(60);
    const inner = (name: string) => ({ type: 'function', name });
    const body = {
      ...ASK,
      tools: [
        { type: 'namespace', name: long, tools: [inner('a_tool'), inner('b_tool')] },
        { type: 'namespace', name: 'n', tools: [inner('t')] },
        inner('n__t'),
      ],
    };
    const tools = sentTo(CHAT, RESPONSES, body)['tools'] as { function: { name: string } }[];
    const names = tools.map((tool) => tool.function.name);
    expect(new Set(names).size).toBe(4);
    const calls = names.flatMap((name, index) => chatCall(index, `c${index}`, name, '{}'));
    const { events } = overChat([...calls, finish('tool_calls')], body);
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done.map(({ item }) => item)).toMatchObject([
      { name: 'a_tool', namespace: long },
      { name: 'b_tool', namespace: long },
      { name: 't', namespace: 'n' },
      { name: 'n__t' },
    ]);
  });
});

describe('text', () => {
  it('is the same from end to end', () => {
    const { events } = overChat([
      chatEvent({ content: 'a' }),
      chatEvent({ content: 'ü' }),
      finish('stop'),
    ]);
    expect(textOf(events)).toBe('aü');
  });
});

describe('a refusal of Anthropic’s classifiers', () => {
  const usage = { input_tokens: 106, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', usage };
  const end = { delta: { stop_reason: 'refusal' }, usage };
  const text = { index: 0, content_block: { type: 'text', text: 'a' } };
  const begun = wire('message_start', { message: { ...message, content: [] } });
  const ended = wire('message_delta', end) + wire('message_stop', {});

  it.each([
    ['before any output', '', [], true],
    ['behind output', wire('content_block_start', text), [{ type: 'text', text: 'a' }], false],
  ])('%s is free: %s', (_when, block, content, isFree) => {
    const { stream } = streamed({ client: CHAT, upstream: MESSAGES }, CHAT_ASK, [
      begun + block + ended,
    ]);
    expect(stream).toMatchObject({ isFree, usage: { input: 106 } });
    const body = Buffer.from(JSON.stringify({ ...message, content, stop_reason: 'refusal' }));
    const codec = translate(CHAT, MESSAGES);
    const reply = codec.decode(body, parsedBy(CHAT, CHAT_ASK), () => undefined);
    expect(reply).toMatchObject({ isFree, usage: { input: 106 } });
  });
});
